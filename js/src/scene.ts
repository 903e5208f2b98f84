/**
 * What moved between two tables: pure functions over stacks, for the eye only.
 *
 * Nothing here knows a rule. A movement is read off the discs, so it is found for moves, undo, redo and several of them
 * at once, whoever made them.
 */
import type { StackId, StackState } from "./contract";

/** Part of a pile that goes from one place to another. Levels count discs from the table up. */
export interface Movement {
  readonly discs: readonly string[];
  readonly from: Spot;
  readonly to: Spot;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
  /** How many discs lie below. */
  readonly level: number;
  /** How many discs the pile has with the moved ones on it. */
  readonly count: number;
}

/** More than this many stacks at once is not a move but another table. */
const MOST = 3;

/** The stacks after one has been put on another; unchanged where that is impossible. */
export function merged(stacks: readonly StackState[], mover: StackId, target: StackId): readonly StackState[] {
  const moving = stacks.find((stack) => stack.id === mover);
  if (moving === undefined || mover === target || !stacks.some((stack) => stack.id === target)) return stacks;
  return stacks
    .filter((stack) => stack.id !== mover)
    .map((stack) => (stack.id === target ? { ...stack, discs: [...stack.discs, ...moving.discs] } : stack));
}

export function sameStacks(a: readonly StackState[], b: readonly StackState[]): boolean {
  const key = (stacks: readonly StackState[]) =>
    stacks
      .map((s) => `${s.id} ${s.x} ${s.y} ${s.discs.join("")}`)
      .sort()
      .join(";");
  return key(a) === key(b);
}

/** Where the discs of `piece` lie in `pile`, at or above `above`; -1 if nowhere. */
function find(piece: readonly string[], pile: readonly string[], above: number): number {
  for (let level = above; level + piece.length <= pile.length; level++) {
    if (piece.every((symbol, i) => pile[level + i] === symbol)) return level;
  }
  return -1;
}

const startsWith = (pile: readonly string[], piece: readonly string[]) =>
  piece.length <= pile.length && piece.every((symbol, i) => pile[i] === symbol);

/** Which stacks of `few`, each part of a pile in `many`'s place, went where; null if that does not explain the change. */
function merges(many: readonly StackState[], few: readonly StackState[]): Map<StackState, Spot> | null {
  const gone = many.filter((stack) => !few.some((other) => other.id === stack.id));
  if (gone.length === 0 || gone.length > MOST) return null;
  const grown: { pile: StackState; had: number }[] = [];
  for (const pile of few) {
    const before = many.find((stack) => stack.id === pile.id);
    if (before === undefined || before.x !== pile.x || before.y !== pile.y) return null;
    if (!startsWith(pile.discs, before.discs)) return null;
    if (pile.discs.length > before.discs.length) grown.push({ pile, had: before.discs.length });
  }
  const moved = gone.reduce((sum, stack) => sum + stack.discs.length, 0);
  if (moved !== grown.reduce((sum, { pile, had }) => sum + pile.discs.length - had, 0)) return null;
  const spots = new Map<StackState, Spot>();
  const taken = new Set<string>();
  for (const stack of [...gone].sort((a, b) => b.discs.length - a.discs.length)) {
    let spot: Spot | null = null;
    for (const { pile, had } of grown) {
      for (let from = had; spot === null; from++) {
        const level = find(stack.discs, pile.discs, from);
        if (level < 0) break;
        const places = stack.discs.map((_, i) => `${pile.id}:${level + i}`);
        if (places.some((place) => taken.has(place))) continue;
        for (const place of places) taken.add(place);
        spot = { x: pile.x, y: pile.y, level, count: pile.discs.length };
      }
    }
    if (spot === null) return null;
    spots.set(stack, spot);
  }
  return spots;
}

const whole = (stack: StackState): Spot => ({ x: stack.x, y: stack.y, level: 0, count: stack.discs.length });

/** What glides from `before` to `after`: [] if nothing does, because nothing moved or because it is another table. */
export function movements(before: readonly StackState[], after: readonly StackState[]): Movement[] {
  const forth = merges(before, after);
  if (forth !== null) return [...forth].map(([stack, to]) => ({ discs: stack.discs, from: whole(stack), to }));
  const back = merges(after, before);
  if (back !== null) return [...back].map(([stack, from]) => ({ discs: stack.discs, from, to: whole(stack) }));
  return [];
}

/** The stack that `id` has become part of; null if it did not merge. */
export function becamePartOf(
  before: readonly StackState[],
  after: readonly StackState[],
  id: StackId,
): StackState | null {
  const stack = before.find((candidate) => candidate.id === id);
  const spot = stack && merges(before, after)?.get(stack);
  return (spot && after.find((pile) => pile.x === spot.x && pile.y === spot.y)) ?? null;
}
