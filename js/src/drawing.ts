/** How a pile of discs looks: SVG from discs, sizes and nothing else. */
import { n, set, svg } from "./dom";
import { badgeRadius, outline, rise, step, sway, TILT, thickness } from "./geometry";
import { colour, silhouette } from "./symbols";

export interface PileLook {
  /** Bottom to top. */
  readonly discs: readonly string[];
  readonly radius: number;
  readonly scale: number;
  /** Unique in the page: gradients are found by it. */
  readonly prefix: string;
  /** How many discs lie below these in the pile they belong to, and how many that pile has. */
  readonly level?: number;
  readonly count?: number;
  /** Discs that would land on this pile. */
  readonly preview?: readonly string[];
}

/** The parts of a pile's group, from outside in: placed, shaken, lifted. */
export interface Pile {
  readonly group: SVGGElement;
  readonly shadow: SVGEllipseElement;
  readonly shaken: SVGGElement;
  readonly lifted: SVGGElement;
  look: string;
}

export function newPile(): Pile {
  const lifted = svg("g", { class: "soluna-lifted" });
  const shaken = svg("g", {}, lifted);
  const shadow = svg("ellipse", { class: "soluna-shadow" });
  return { group: svg("g", { class: "soluna-pile" }, shadow, shaken), shadow, shaken, lifted, look: "" };
}

/** Draws the pile anew if it looks different from before. */
export function drawPile(pile: Pile, look: PileLook): void {
  const key = JSON.stringify(look);
  if (pile.look === key) return;
  pile.look = key;
  const { discs, radius, scale, prefix, level = 0, count = discs.length, preview = [] } = look;
  const all = [...discs, ...preview];
  const total = Math.max(count, level + all.length);
  const base = rise(level, total, radius);
  const up = (index: number) => rise(level + index, total, radius) - base;
  const top = up(all.length - 1);
  set(pile.shadow, {
    cx: n(radius * 0.1),
    cy: n(thickness(radius) + radius * 0.1),
    rx: n(radius * 1.22),
    ry: n(radius * 1.22 * TILT),
    fill: `url(#${prefix}-shadow)`,
  });
  const parts: Node[] = all.map((symbol, index) => {
    const edge = level + index === 0 ? thickness(radius) : Math.max(step(total, radius), radius * 0.05);
    const disc = drawDisc(symbol, radius, edge, prefix, index === all.length - 1);
    set(disc, { transform: `translate(${n(sway(level + index, radius))} ${n(-up(index))})` });
    if (index >= discs.length) set(disc, { class: "soluna-preview" });
    return disc;
  });
  const visible = all.length;
  parts.push(svg("path", { class: "soluna-ring", d: raised(visible, total, radius, 5.5) }));
  const dot = svg("g", { class: "soluna-dot", transform: `translate(0 ${n(-top - radius * TILT - 5.5)})` });
  dot.append(svg("circle", { r: n(radius * 0.13) }));
  parts.push(dot, drawBadge(visible, radius, scale, top));
  pile.lifted.replaceChildren(...parts);
}

/** The outline of the part of a pile that is drawn: its discs may be squeezed as part of a taller one. */
function raised(visible: number, total: number, radius: number, grow: number): string {
  if (visible === total) return outline(visible, radius, grow);
  const [rx, ry] = [radius + grow, radius * TILT + grow];
  const up = rise(visible - 1, total, radius);
  return `M${n(-rx)} ${n(-up)}A${n(rx)} ${n(ry)} 0 0 1 ${n(rx)} ${n(-up)}V${n(thickness(radius))}A${n(rx)} ${n(ry)} 0 0 1 ${n(-rx)} ${n(thickness(radius))}Z`;
}

/** A thick wooden token: its edge shows its colour, so a stack's history can be read from the side. */
function drawDisc(symbol: string, radius: number, edge: number, prefix: string, face: boolean): SVGGElement {
  const ry = radius * TILT;
  const side = band(radius, ry, 0, edge);
  const disc = svg(
    "g",
    {},
    svg("path", { class: "soluna-side", d: side }),
    svg("path", { d: band(radius, ry, edge * 0.28, edge * 0.82), fill: colour(symbol) }),
    svg("path", { d: side, fill: `url(#${prefix}-round)` }),
    // The rim of the face is drawn inside it, so that the token's outline stays smooth.
    svg("ellipse", { class: "soluna-face", rx: n(radius - 0.6), ry: n(ry - 0.6), fill: `url(#${prefix}-wood)` }),
  );
  if (!face) return disc;
  const tilted = svg("g", { transform: `scale(1 ${TILT})` });
  for (const [r, bow] of [
    [0.62, 0.5],
    [0.2, 0.66],
    [-0.3, 0.62],
    [-0.68, 0.42],
  ] as const) {
    const y = r * radius;
    const x = Math.sqrt(Math.max(0, (radius * 0.95) ** 2 - y * y));
    const d = `M${n(-x)} ${n(y)}C${n(-x * bow)} ${n(y - radius * 0.07)} ${n(x * bow)} ${n(y + radius * 0.09)} ${n(x)} ${n(y)}`;
    tilted.append(svg("path", { class: "soluna-grain", d }));
  }
  tilted.append(
    svg("circle", {
      class: "soluna-inlay",
      r: n(radius * 0.87),
      stroke: colour(symbol),
      "stroke-width": n(radius * 0.05),
    }),
  );
  const drawn = drawSymbol(symbol, radius);
  tilted.append(
    svg("g", { class: "soluna-cut", transform: `translate(0 ${n(radius * 0.045)})` }, drawn.cloneNode(true)),
  );
  tilted.append(svg("g", { fill: colour(symbol) }, drawn));
  disc.append(tilted, svg("ellipse", { rx: n(radius - 1), ry: n(ry - 1), fill: `url(#${prefix}-gloss)` }));
  return disc;
}

export function drawSymbol(symbol: string, radius: number): SVGElement {
  const path = silhouette(symbol);
  if (path !== null) return svg("path", { d: path, transform: `scale(${n(radius / 68)})`, "stroke-linejoin": "round" });
  const letter = svg("text", { class: "soluna-letter", y: n(radius * 0.36), "font-size": n(radius) });
  letter.textContent = symbol;
  return letter;
}

function drawBadge(height: number, radius: number, scale: number, top: number): SVGGElement {
  const r = badgeRadius(radius, scale);
  const text = svg("text", { y: n(r * 0.4), "font-size": n(r * (height > 9 ? 1.08 : 1.2)) });
  text.textContent = String(height);
  const at = `translate(${n(radius * 0.88)} ${n(radius * TILT * 0.7 - top)})`;
  return svg("g", { class: "soluna-badge", transform: at }, svg("circle", { r: n(r) }), text);
}

function band(rx: number, ry: number, from: number, to: number): string {
  return `M${n(-rx)} ${n(from)}A${n(rx)} ${n(ry)} 0 0 0 ${n(rx)} ${n(from)}V${n(to)}A${n(rx)} ${n(ry)} 0 0 1 ${n(-rx)} ${n(to)}Z`;
}

/** The gradients that piles and table share; their colours come from the style sheet. */
export function drawDefs(prefix: string): SVGDefsElement {
  const stops = (name: string, offsets: readonly number[]) =>
    offsets.map((offset, i) => svg("stop", { class: `soluna-${name}-${i}`, offset }));
  const radial = (name: string, offsets: readonly number[], at: { cx?: number; cy?: number; r?: number } = {}) =>
    svg("radialGradient", { id: `${prefix}-${name}`, ...at }, ...stops(name, offsets));
  const linear = (name: string, offsets: readonly number[], to: { x1?: number; x2?: number; y2?: number } = {}) =>
    svg("linearGradient", { id: `${prefix}-${name}`, ...to }, ...stops(name, offsets));
  return svg(
    "defs",
    {},
    radial("felt", [0, 1], { cx: 0.42, cy: 0.3, r: 0.85 }),
    radial("shadow", [0.55, 0.82, 1]),
    radial("wood", [0, 0.75, 1], { cx: 0.38, cy: 0.28, r: 0.8 }),
    linear("round", [0, 0.3, 0.55, 1]),
    linear("gloss", [0, 0.5], { x1: 0.2, x2: 0.55, y2: 1 }),
    linear("left", [0, 1]),
    linear("right", [0, 1], { x1: 1, x2: 0 }),
  );
}
