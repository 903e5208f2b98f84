/** What happened between two states, in words and in order: pure, for the live region. */
import type { Seat, StackState, State } from "./contract";
import { becamePartOf, movements } from "./scene";
import { noticeText, type Words } from "./words";

export function announcements(words: Words, before: State, after: State): string[] {
  const said: string[] = [];
  const name = (seat: Seat) => after.players[seat];
  if (after.revision !== before.revision) {
    const opener = after.opener === null ? "" : name(after.opener);
    if (startsAnew(before, after)) said.push(words.match_begins(opener));
    else if (after.round > before.round) said.push(words.round_begins(after.round, opener));
    else said.push(...onTheTable(words, before, after));
    if (before.phase === "choosing" && after.phase === "playing" && after.round === before.round && opener) {
      said.push(words.order_chosen(opener));
    }
    const end = ending(words, after);
    if (end && before.ended === null) said.push(end);
  }
  if (after.notice !== null && JSON.stringify(after.notice) !== JSON.stringify(before.notice)) {
    said.push(noticeText(words, after.notice));
  }
  return said;
}

/** Why the round, or the match, is over; "" while it is not. */
export function ending(words: Words, state: State): string {
  if (state.ended === null) return "";
  const end = {
    blocked: state.players[state.ended.blocked],
    winner: state.players[state.ended.winner],
    misere: state.misere,
    single: state.stacks.length === 1,
  };
  if (state.phase !== "match_over" || state.winner === null) return words.round_over(end);
  const [won, lost] = state.winner === 0 ? state.stars : [state.stars[1], state.stars[0]];
  return words.match_over(end, state.players[state.winner], won, lost);
}

export function stackLabel(words: Words, stack: StackState): string {
  return words.stack(words.symbol(stack.discs.at(-1) ?? ""), stack.discs.length);
}

function startsAnew(before: State, after: State): boolean {
  const fresh = after.round === 1 && after.stars.every((stars) => stars === 0) && after.last === null;
  const played = before.round > 1 || before.phase === "match_over" || before.phase === "round_over";
  return fresh && !after.can.redo && (played || before.last !== null);
}

function onTheTable(words: Words, before: State, after: State): string[] {
  const moved = movements(before.stacks, after.stacks);
  if (moved.length > 0 && after.stacks.length < before.stacks.length) {
    return before.stacks.flatMap((mover) => {
      const result = becamePartOf(before.stacks, after.stacks, mover.id);
      const target = result && before.stacks.find((stack) => stack.id === result.id);
      if (!result || !target) return [];
      const by = after.last !== null && after.last.mover === mover.id ? after.last.by : before.turn;
      const labels = [mover, target, result].map((stack) => stackLabel(words, stack)) as [string, string, string];
      return [words.moved(after.players[by], ...labels)];
    });
  }
  if (moved.length > 0) {
    const back = after.stacks.filter((stack) => !before.stacks.some((other) => other.id === stack.id));
    return back.map((stack) => words.moved_back(stackLabel(words, stack)));
  }
  if (before.phase === "placing" && after.stacks.length > before.stacks.length) {
    const placed = after.stacks.filter((stack) => !before.stacks.some((other) => other.id === stack.id));
    return placed.map((stack) => words.placed(words.symbol(stack.discs.at(-1) ?? ""), after.to_place));
  }
  const same = before.phase === "choosing" || JSON.stringify(before.stacks) === JSON.stringify(after.stacks);
  return same ? [] : [words.table_changed(after.stacks.length)];
}
