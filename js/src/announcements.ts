/** What happened between two states, in words and in order: pure, for the live region. */
import type { Hint, RoundEnd, Seat, StackId, StackState, State } from "./contract";
import { backToFront, type Layout } from "./geometry";
import type { Frame } from "./replay";
import { becamePartOf, movements } from "./scene";
import { targets } from "./selection";
import { type Ending, noticeText, type Pair, type Words } from "./words";

export function announcements(words: Words, before: State, after: State): string[] {
  const said: string[] = [];
  const name = (seat: Seat) => nameOf(after, seat);
  if (after.revision !== before.revision) {
    const opener = after.opener === null ? "" : name(after.opener);
    if (startsAnew(before, after)) said.push(words.match_begins(opener));
    else if (after.round > before.round) said.push(words.round_begins(after.round, opener));
    else said.push(...onTheTable(words, before, after));
    if (before.phase === "choosing" && after.phase === "playing" && after.round === before.round && opener) {
      said.push(words.order_chosen(opener));
    }
    if (after.phase === "choosing" && (before.phase !== "choosing" || after.turn !== before.turn)) {
      said.push(choosing(words, after));
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
  const end = endOfRound(state, state.ended, state.stacks);
  if (state.phase !== "match_over" || state.winner === null) return words.round_over(end);
  const [won, lost] = state.winner === 0 ? state.stars : [state.stars[1], state.stars[0]];
  return words.match_over(end, nameOf(state, state.winner), won, lost);
}

function endOfRound(state: State, ended: RoundEnd, stacks: readonly StackState[]): Ending {
  return {
    blocked: nameOf(state, ended.blocked),
    winner: nameOf(state, ended.winner),
    misere: state.misere,
    single: stacks.length === 1,
  };
}

/** Who chooses, and why. */
export function choosing(words: Words, state: State): string {
  const name = nameOf(state, state.turn);
  if (!state.can.choose) return words.chooses(name);
  return state.round === 1 ? words.choose_youngest(name) : words.choose_loser(name);
}

/** A name for the middle of a sentence: one that runs from right to left must not turn the words around it. */
export function nameOf(state: State, seat: Seat): string {
  return isolated(state.players[seat]);
}

export function isolated(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;
}

/** What a stack is and what it can do now, for the ear. */
export function spokenLabel(words: Words, state: State, stack: StackState, taken: StackId | null): string {
  const plain = stackLabel(words, stack);
  if (state.phase !== "playing" || !state.can.move) return plain;
  if (taken === null) return `${plain}, ${words.can_go_on(targets(state, stack.id).size)}`;
  if (taken === stack.id) return `${plain}, ${words.is_taken}`;
  if (!targets(state, taken).has(stack.id)) return `${plain}, ${words.is_no_target}`;
  return [plain, words.is_target, ...hintInWords(words, hintFor(state, taken, stack.id))].join(", ");
}

/** What the solver says of a move, where hints are on. */
export function hintFor(state: State, mover: StackId, target: StackId): Hint | null {
  return state.hints?.find((hint) => hint.mover === mover && hint.target === target) ?? null;
}

/** A hint as one or two short texts, for the eye below each other. */
export function hintInWords(words: Words, hint: Hint | null): string[] {
  if (hint === null) return [];
  const first = words.hint(hint.won, hint.moves);
  return hint.grundy === null ? [first] : [first, words.value(hint.grundy)];
}

export interface Reviewed {
  readonly text: string;
  /** Which of the match's frames shows it, and the words for going there. */
  readonly frame: number;
  readonly show: string;
}

/** A review in words: who could win from the start, and each mistake with its refutation. */
export function reviewInWords(
  words: Words,
  state: State,
  all: readonly Frame[],
): [start: string, ...Reviewed[]] | null {
  const { review } = state;
  if (!review) return null;
  const winner = nameOf(state, review.winner);
  if (review.mistakes.length === 0) return [words.no_mistake(winner)];
  const mistakes = review.mistakes.flatMap(({ move, by, better, reply }) => {
    const frame = all.findIndex((one) => one.round === review.round && one.move === move);
    const [before, after] = [all[frame - 1], all[frame]];
    if (!before || !after?.last) return [];
    const pair = ({ stacks }: Frame, [mover, target]: readonly [StackId, StackId]): Pair => {
      const label = (id: StackId) => {
        const stack = stacks.find((one) => one.id === id);
        return stack ? stackLabel(words, stack) : "";
      };
      return { mover: label(mover), target: label(target) };
    };
    const played = pair(before, [after.last.mover, after.last.target]);
    const text = words.mistake(nameOf(state, by), played, pair(before, better), reply && pair(after, reply));
    return [{ text, frame, show: words.show_move(move) }];
  });
  return [words.review_start(winner), ...mistakes];
}

/** The whole table: every stack, equal ones counted, in the order in which it is read; then what `status` says. */
export function tableInWords(words: Words, state: State, layout: Layout, status: string): string {
  const kinds = new Map<string, number>();
  for (const stack of backToFront(layout, state.stacks)) {
    const label = stackLabel(words, stack);
    kinds.set(label, (kinds.get(label) ?? 0) + 1);
  }
  const listed = [...kinds].map(([label, times]) => words.times(label, times)).join("; ");
  const stars = ([0, 1] as const).map((seat) =>
    words.stars_of(nameOf(state, seat), state.stars[seat], state.stars_to_win),
  );
  return `${words.on_table(state.stacks.length, listed)} ${stars.join(". ")}. ${status}`;
}

/** What an earlier table shows: where in the match it is, and the move that led to it. */
export function frameInWords(words: Words, state: State, frame: Frame, before: Frame | null): string {
  const said = [words.looking(frame.round, frame.move, frame.of)];
  const { last } = frame;
  if (last !== null && before !== null) {
    const find = (stacks: readonly StackState[], id: StackId) => stacks.find((stack) => stack.id === id);
    const three = [find(before.stacks, last.mover), find(before.stacks, last.target), find(frame.stacks, last.target)];
    const [mover, target, result] = three.map((stack) => (stack ? stackLabel(words, stack) : ""));
    if (mover && target && result) said.push(words.moved(nameOf(state, last.by), mover, target, result));
  }
  if (frame.ended !== null) said.push(words.round_over(endOfRound(state, frame.ended, frame.stacks)));
  return said.join(" ");
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
      return [words.moved(nameOf(after, by), ...labels)];
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
