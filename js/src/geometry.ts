/**
 * Where things lie: from table units to the drawing, and the shape of a pile.
 *
 * The drawing's unit is the table's unit; only the place of (0, 0) and, on a narrow page, the exchange of x and y differ.
 */
import type { StackId, StackState, TableSize } from "./contract";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  /** x and y exchanged, so that discs stay big enough for fingers on a narrow page. */
  readonly upright: boolean;
  /** Pixels per table unit. */
  readonly scale: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Below this many pixels the table stands upright. */
export const NARROW = 520;
/** Discs are seen slightly from above: height of the face over its width. */
export const TILT = 0.84;
/** A pile rises at most this many radii, however many discs it has. */
const MAX_RISE = 1.16;
/** A disc is this many radii thick. */
const THICKNESS = 0.21;
/** The rim stands this far outside the table units; above, a tall pile needs room. */
const MARGIN = { top: 26, side: 6, bottom: 10 };
/** Nothing to click is smaller than this many pixels. */
const SMALLEST_TARGET = 24;
/** A badge is at least this many pixels wide. */
const SMALLEST_BADGE = 19;

/** The viewBox: the table with its rim. */
export function box(table: TableSize, upright: boolean): Box {
  const [width, height] = upright ? [table.height, table.width] : [table.width, table.height];
  return {
    x: -MARGIN.side,
    y: -MARGIN.top,
    width: width + 2 * MARGIN.side,
    height: height + MARGIN.top + MARGIN.bottom,
  };
}

export function layoutFor(table: TableSize, pixels: number): Layout {
  const upright = pixels > 0 && pixels < NARROW;
  return { upright, scale: pixels > 0 ? pixels / box(table, upright).width : 1 };
}

export function place(layout: Layout, at: Point): Point {
  return layout.upright ? { x: at.y, y: at.x } : { x: at.x, y: at.y };
}

/** How much each disc of a pile of `count` raises the next. */
export function step(count: number, radius: number): number {
  return count < 2 ? THICKNESS * radius : Math.min(THICKNESS, MAX_RISE / (count - 1)) * radius;
}

/** How far the face of disc `level` (from 0) lies above the lowest face, in a pile of `count`. */
export function rise(level: number, count: number, radius: number): number {
  return level * step(count, radius);
}

export function thickness(radius: number): number {
  return THICKNESS * radius;
}

/** Piles made by hand are never quite straight. */
export function sway(level: number, radius: number): number {
  return level === 0 ? 0 : (((level * 37) % 5) - 2) * 0.018 * radius;
}

/** The outline of a pile, `grow` units outside it, around the middle of its lowest face. */
export function outline(count: number, radius: number, grow: number): string {
  const rx = radius + grow;
  const ry = radius * TILT + grow;
  const top = -rise(count - 1, count, radius);
  const bottom = thickness(radius);
  const f = (value: number) => value.toFixed(1);
  return `M${f(-rx)} ${f(top)}A${f(rx)} ${f(ry)} 0 0 1 ${f(rx)} ${f(top)}V${f(bottom)}A${f(rx)} ${f(ry)} 0 0 1 ${f(-rx)} ${f(bottom)}Z`;
}

/** How far outside a disc its hit area must reach to be big enough for a finger. */
export function reach(radius: number, scale: number): number {
  return Math.max(2, SMALLEST_TARGET / 2 / scale - radius * TILT);
}

export function badgeRadius(radius: number, scale: number): number {
  return Math.max(0.3 * radius, SMALLEST_BADGE / 2 / scale);
}

/** Farther stacks first, so that nearer ones overlap them. */
export function backToFront(layout: Layout, stacks: readonly StackState[]): StackState[] {
  return [...stacks].sort((a, b) => {
    const [p, q] = [place(layout, a), place(layout, b)];
    return p.y - q.y || p.x - q.x || a.id - b.id;
  });
}

/** Which stack is drawn at a point, nearer ones before those behind them; null on the bare table. */
export function stackAtPoint(
  layout: Layout,
  radius: number,
  stacks: readonly StackState[],
  point: Point,
): StackId | null {
  const grow = reach(radius, layout.scale);
  const [rx, ry] = [radius + grow, radius * TILT + grow];
  const frontToBack = backToFront(layout, stacks).reverse();
  const hit = frontToBack.find((stack) => {
    const at = place(layout, stack);
    const top = -rise(stack.discs.length - 1, stack.discs.length, radius);
    const dy = point.y - at.y;
    // The outline is an ellipse drawn out from the foot to the top.
    const off = dy - Math.min(Math.max(dy, top), thickness(radius));
    return Math.hypot((point.x - at.x) / rx, off / ry) <= 1;
  });
  return hit?.id ?? null;
}

/** A slight arc from one point to another: the control point of a quadratic curve. */
export function bend(from: Point, to: Point): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  // Always bulging upwards, as a hand would carry a stack.
  const side = dx >= 0 ? 1 : -1;
  return { x: (from.x + to.x) / 2 + side * dy * 0.18, y: (from.y + to.y) / 2 - side * dx * 0.18 };
}

export function along(from: Point, control: Point, to: Point, t: number): Point {
  const u = 1 - t;
  return {
    x: u * u * from.x + 2 * u * t * control.x + t * t * to.x,
    y: u * u * from.y + 2 * u * t * control.y + t * t * to.y,
  };
}

/** A curve from where a stack lay to the edge of the stack it went to; "" where they are too close for one. */
export function trail(from: Point, to: Point, radius: number): string {
  const control = bend(from, to);
  const inside = (p: Point, centre: Point, k: number) =>
    Math.hypot(p.x - centre.x, (p.y - centre.y) / TILT) < radius * k;
  const points: Point[] = [];
  for (let i = 0; i <= 48; i++) {
    const p = along(from, control, to, i / 48);
    if (!inside(p, from, 0.42) && !inside(p, to, 1.22)) points.push(p);
  }
  if (points.length < 3) return "";
  return points.map((p, i) => `${i === 0 ? "M" : "L"}${p.x.toFixed(1)} ${p.y.toFixed(1)}`).join("");
}
