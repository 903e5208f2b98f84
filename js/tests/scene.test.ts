// @vitest-environment node
import { describe, expect, it } from "vitest";
import { TWELVE, table } from "../dev/kernel";
import type { StackState } from "../src/contract";
import { becamePartOf, merged, movements, sameStacks } from "../src/scene";

const start = table(TWELVE).stacks;
const by = (stacks: readonly StackState[], id: number) => stacks.find((stack) => stack.id === id) as StackState;

describe("merging", () => {
  it("keeps the target's number and place, and the mover's order on top", () => {
    const after = merged(merged(start, 0, 1), 1, 2);
    expect(after).toHaveLength(10);
    expect(by(after, 2)).toEqual({ ...by(start, 2), discs: ["T", "M", "S"] });
  });

  it("changes nothing where it is impossible", () => {
    for (const [mover, target] of [
      [0, 0],
      [0, 99],
      [99, 0],
    ] as const) {
      expect(merged(start, mover, target)).toBe(start);
    }
  });
});

describe("what glides", () => {
  it("is one stack for one move", () => {
    const after = merged(start, 0, 1);
    const [from, to] = [by(start, 0), by(start, 1)];
    expect(movements(start, after)).toEqual([
      {
        discs: ["S"],
        from: { x: from.x, y: from.y, level: 0, count: 1 },
        to: { x: to.x, y: to.y, level: 1, count: 2 },
      },
    ]);
  });

  it("is the same way back for an undo", () => {
    const after = merged(start, 0, 1);
    const [there] = movements(start, after);
    expect(movements(after, start)).toEqual([{ discs: there?.discs, from: there?.to, to: there?.from }]);
  });

  it("is two stacks when two moves are taken back, one having been put on the other", () => {
    const after = merged(merged(start, 0, 1), 1, 2);
    expect(movements(after, start)).toHaveLength(2);
    const places = movements(after, start).map((movement) => movement.from.level);
    expect([...places].sort()).toEqual([1, 2]);
  });

  it("is nothing when the table is the same or another", () => {
    expect(movements(start, start)).toEqual([]);
    expect(movements(start, table({ stacks: ["MMM"] }).stacks)).toEqual([]);
    const moved = start.map((stack) => ({ ...stack, x: stack.x + 1 })).slice(1);
    expect(movements(start, moved)).toEqual([]);
    const turned = [...merged(start, 0, 1)].map((s) => (s.id === 5 ? { ...s, discs: ["C"] } : s));
    expect(movements(start, turned)).toEqual([]);
  });

  it("is nothing when discs are placed", () => {
    expect(movements(start.slice(1), start)).toEqual([]);
  });
});

it("finds where a stack has gone", () => {
  const after = merged(start, 0, 1);
  expect(becamePartOf(start, after, 0)?.id).toBe(1);
  expect(becamePartOf(start, after, 5)).toBeNull();
  expect(becamePartOf(start, start, 0)).toBeNull();
  const twice = merged(after, 5, 1);
  expect(becamePartOf(start, twice, 5)?.id).toBe(1);
});

it("compares tables by places and discs, not by order", () => {
  expect(sameStacks(start, [...start].reverse())).toBe(true);
  expect(sameStacks(start, merged(start, 0, 1))).toBe(false);
});
