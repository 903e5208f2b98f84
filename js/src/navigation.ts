/** Where the arrows lead: pure, by what is on screen, so it holds for the upright table too. */
import type { StackId, StackState } from "./contract";
import { backToFront, type Layout, place } from "./geometry";

export type Direction = "left" | "right" | "up" | "down";

/** The stacks row by row as they are drawn: the order in which the table is read, and in which Home and End count. */
export function readingOrder(layout: Layout, stacks: readonly StackState[]): StackId[] {
  return backToFront(layout, stacks).map((stack) => stack.id);
}

/** The nearest stack that way, or null at the edge: what lies straight ahead counts as nearer than what lies aslant. */
export function nearest(
  layout: Layout,
  stacks: readonly StackState[],
  from: StackId,
  direction: Direction,
): StackId | null {
  const start = stacks.find((stack) => stack.id === from);
  if (start === undefined) return null;
  const here = place(layout, start);
  let best: { id: StackId; cost: number } | null = null;
  for (const stack of stacks) {
    const there = place(layout, stack);
    const [dx, dy] = [there.x - here.x, there.y - here.y];
    const [ahead, aside] = {
      left: [-dx, Math.abs(dy)] as const,
      right: [dx, Math.abs(dy)] as const,
      up: [-dy, Math.abs(dx)] as const,
      down: [dy, Math.abs(dx)] as const,
    }[direction];
    if (ahead <= 0) continue;
    const cost = ahead + 2 * aside + (aside > ahead ? AROUND_THE_CORNER : 0);
    if (best === null || cost < best.cost) best = { id: stack.id, cost };
  }
  return best?.id ?? null;
}

/** Within 45 degrees anything is nearer than anything outside; outside still counts, so that every stack can be reached. */
const AROUND_THE_CORNER = 1e6;

/** The next of `wanted` after `from`, or with -1 the one before, in the order of `all`, round and round. */
export function cycle(
  all: readonly StackId[],
  wanted: ReadonlySet<StackId>,
  from: StackId | null,
  step: 1 | -1,
): StackId | null {
  const start = from === null ? -1 : all.indexOf(from);
  const first = start < 0 && step < 0 ? all.length : start;
  for (let i = 1; i <= all.length; i++) {
    const id = all[(first + step * i + 2 * all.length) % all.length];
    if (id !== undefined && wanted.has(id)) return id;
  }
  return null;
}
