// @vitest-environment node
import { describe, expect, it } from "vitest";
import {
  backToFront,
  badgeRadius,
  box,
  layoutFor,
  NARROW,
  outline,
  place,
  reach,
  rise,
  step,
  trail,
} from "../src/geometry";

const SIZE = { width: 760, height: 400, radius: 42 };

describe("the layout", () => {
  it("stands upright on a narrow page, and exchanges x and y", () => {
    const narrow = layoutFor(SIZE, NARROW - 1);
    const wide = layoutFor(SIZE, NARROW);
    expect([narrow.upright, wide.upright]).toEqual([true, false]);
    expect(place(narrow, { x: 100, y: 30 })).toEqual({ x: 30, y: 100 });
    expect(place(wide, { x: 100, y: 30 })).toEqual({ x: 100, y: 30 });
  });

  it("shows the whole table both ways", () => {
    for (const upright of [false, true]) {
      const view = box(SIZE, upright);
      const [width, height] = upright ? [400, 760] : [760, 400];
      expect(view.x).toBeLessThan(0);
      expect(view.y).toBeLessThan(0);
      expect(view.x + view.width).toBeGreaterThan(width);
      expect(view.y + view.height).toBeGreaterThan(height);
    }
  });

  it("keeps discs big enough for fingers from 320 px up", () => {
    for (let pixels = 320; pixels < 1200; pixels += 20) {
      expect(2 * 42 * layoutFor(SIZE, pixels).scale).toBeGreaterThan(44);
    }
  });

  it("stays sane before the page has a width", () => {
    expect(layoutFor(SIZE, 0)).toEqual({ upright: false, scale: 1 });
  });
});

describe("a pile", () => {
  it("shows up to five edges of full thickness", () => {
    for (let count = 2; count <= 5; count++) expect(step(count, 42)).toBeCloseTo(step(2, 42));
  });

  it("rises with each disc, and never more than about a disc's radius", () => {
    for (let count = 2; count < 60; count++) {
      const total = rise(count - 1, count, 42);
      expect(total).toBeLessThan(50);
      expect(total).toBeGreaterThanOrEqual(rise(count - 2, count - 1, 42) - 1e-9);
    }
  });

  it("scales with the radius", () => {
    expect(rise(11, 12, 21) * 2).toBeCloseTo(rise(11, 12, 42));
  });

  it("has an outline around its top and its foot", () => {
    expect(outline(1, 42, 0)).toBe("M-42.0 0.0A42.0 35.3 0 0 1 42.0 0.0V8.8A42.0 35.3 0 0 1 -42.0 8.8Z");
  });

  it("can be hit on at least 24 px, and its badge read, however small it is drawn", () => {
    for (const radius of [10, 28, 42]) {
      for (const scale of [0.3, 0.77, 1, 2]) {
        expect((radius * 0.84 + reach(radius, scale)) * 2 * scale).toBeGreaterThanOrEqual(24 - 1e-9);
        expect(badgeRadius(radius, scale) * 2 * scale).toBeGreaterThanOrEqual(19 - 1e-9);
      }
    }
  });
});

it("draws farther stacks first, whichever way the table stands", () => {
  const stacks = [
    { id: 1, discs: ["S"], x: 10, y: 300 },
    { id: 2, discs: ["S"], x: 500, y: 20 },
  ];
  const order = (upright: boolean) => backToFront({ upright, scale: 1 }, stacks).map((stack) => stack.id);
  expect(order(false)).toEqual([2, 1]);
  expect(order(true)).toEqual([1, 2]);
});

it("draws a trail that ends at the disc's edge, and none between neighbours", () => {
  const path = trail({ x: 0, y: 0 }, { x: 300, y: 0 }, 42);
  const xs = [...path.matchAll(/[ML](-?[\d.]+)/g)].map((match) => Number(match[1]));
  expect(Math.min(...xs)).toBeGreaterThan(10);
  expect(Math.max(...xs)).toBeLessThan(300 - 42);
  expect(trail({ x: 0, y: 0 }, { x: 50, y: 0 }, 42)).toBe("");
});
