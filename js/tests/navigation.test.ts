// @vitest-environment node
import { describe, expect, it } from "vitest";
import { scenes } from "../dev/scenes";
import type { StackState, State } from "../src/contract";
import { cycle, type Direction, nearest, readingOrder } from "../src/navigation";

const wide = { upright: false, scale: 1 };
const upright = { upright: true, scale: 1 };
const at = (id: number, x: number, y: number): StackState => ({ id, discs: ["S"], x, y });
const WAYS: readonly Direction[] = ["left", "right", "up", "down"];

describe("an arrow", () => {
  const cross = [at(0, 100, 100), at(1, 50, 100), at(2, 160, 110), at(3, 100, 20), at(4, 90, 180), at(5, 300, 100)];

  it("leads to the nearest stack that way", () => {
    expect(WAYS.map((way) => nearest(wide, cross, 0, way))).toEqual([1, 2, 3, 4]);
  });

  it("goes by what is on screen: the upright table exchanges x and y", () => {
    expect(WAYS.map((way) => nearest(upright, cross, 0, way))).toEqual([3, 4, 1, 2]);
  });

  it("prefers what lies straight ahead to what is nearer but aslant", () => {
    expect(nearest(wide, [at(0, 0, 0), at(1, 30, 60), at(2, 90, 5)], 0, "right")).toBe(2);
  });

  it("still finds what lies around the corner, and stays at the edge", () => {
    expect(nearest(wide, [at(0, 0, 0), at(1, 10, 90)], 0, "right")).toBe(1);
    expect(nearest(wide, [at(0, 0, 0), at(1, 10, 90)], 0, "left")).toBe(null);
    expect(nearest(wide, [], 0, "left")).toBe(null);
  });

  it.each(Object.entries(scenes) as [string, State][])("can lead from every stack to every other: %s", (_, state) => {
    for (const layout of [wide, upright]) {
      for (const start of state.stacks) {
        const seen = new Set([start.id]);
        for (const id of seen) {
          for (const way of WAYS) {
            const next = nearest(layout, state.stacks, id, way);
            if (next !== null) seen.add(next);
          }
        }
        expect(seen.size).toBe(state.stacks.length);
      }
    }
  });

  it("can do so wherever discs fall", () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return seed / 2147483647;
    };
    for (let table = 0; table < 200; table++) {
      const stacks = Array.from({ length: 12 }, (_, id) => at(id, random() * 760, random() * 400));
      for (const start of stacks) {
        const seen = new Set([start.id]);
        for (const id of seen) {
          for (const way of WAYS) {
            const next = nearest(wide, stacks, id, way);
            if (next !== null) seen.add(next);
          }
        }
        expect(seen.size).toBe(12);
      }
    }
  });
});

describe("the order of reading", () => {
  const stacks = [at(7, 500, 10), at(3, 20, 200), at(5, 20, 10)];

  it("is row by row, as drawn", () => {
    expect(readingOrder(wide, stacks)).toEqual([5, 7, 3]);
    expect(readingOrder(upright, stacks)).toEqual([5, 3, 7]);
  });

  it("is cycled through, forth and back, also from a stack that is not wanted, or from none", () => {
    const [all, wanted] = [[1, 2, 3, 4, 5], new Set([2, 4])];
    expect([1, 2, 3, 4, 5].map((from) => cycle(all, wanted, from, 1))).toEqual([2, 4, 4, 2, 2]);
    expect([1, 2, 3, 4, 5].map((from) => cycle(all, wanted, from, -1))).toEqual([4, 4, 2, 2, 4]);
    expect([cycle(all, wanted, null, 1), cycle(all, wanted, null, -1)]).toEqual([2, 4]);
    expect(cycle(all, new Set([3]), 3, 1)).toBe(3);
    expect(cycle(all, new Set(), 3, 1)).toBe(null);
  });
});
