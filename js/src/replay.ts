/** Every table the match has had, from `state.history` alone: pure, and needs no kernel. */
import type { LastMove, RoundEnd, RoundHistory, Seat, StackState } from "./contract";
import { merged } from "./scene";

export interface Frame {
  readonly round: number;
  /** How many moves of the round have been made, and how many it has in all. */
  readonly move: number;
  readonly of: number;
  readonly stacks: readonly StackState[];
  readonly last: LastMove | null;
  /** Who is to move; once the round is over, who could not; null while nobody has opened. */
  readonly turn: Seat | null;
  readonly stars: readonly [number, number];
  readonly ended: RoundEnd | null;
}

/** How many frames there are, without making them. */
export function frameCount(history: readonly RoundHistory[]): number {
  return history.reduce((sum, round) => sum + 1 + round.moves.length, 0);
}

export function frames(history: readonly RoundHistory[]): Frame[] {
  return history.flatMap((round) => {
    const of = round.moves.length;
    const start = { round: round.round, of, stars: round.stars };
    const made: Frame[] = [
      {
        ...start,
        move: 0,
        stacks: round.stacks,
        last: null,
        turn: round.opener,
        ended: of === 0 ? round.ended : null,
      },
    ];
    let stacks = round.stacks;
    round.moves.forEach(([mover, target], i) => {
      const moving = stacks.find((stack) => stack.id === mover);
      const by: Seat = round.opener === null ? 0 : (((round.opener + i) % 2) as Seat);
      stacks = merged(stacks, mover, target);
      made.push({
        ...start,
        move: i + 1,
        stacks,
        last: moving ? { mover, target, x: moving.x, y: moving.y, height: moving.discs.length, by } : null,
        turn: by === 0 ? 1 : 0,
        ended: i + 1 === of ? round.ended : null,
      });
    });
    return made;
  });
}
