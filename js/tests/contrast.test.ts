// @vitest-environment node
/** The style sheet's own colours, measured: text 4.5 to 1, marks 3 to 1, in light and dark, also of what is dimmed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { colour } from "../src/symbols";

const css = readFileSync(join(import.meta.dirname, "../src/style.css"), "utf8");

type Colour = readonly [number, number, number];

function hex(text: string): Colour {
  const digits = /^#([0-9a-f]{6})$/i.exec(text)?.[1];
  if (digits === undefined) throw new Error(`no colour: ${text}`);
  return [0, 2, 4].map((i) => Number.parseInt(digits.slice(i, i + 2), 16)) as unknown as Colour;
}

function fromHsl(text: string): Colour {
  const [h = 0, s = 0, l = 0] = (text.match(/[\d.]+/g) ?? []).map(Number);
  const part = (k: number) => {
    const n = (k + h / 30) % 12;
    return 255 * (l / 100 - (s / 100) * Math.min(l / 100, 1 - l / 100) * Math.max(-1, Math.min(n - 3, 9 - n, 1)));
  };
  return [part(0), part(8), part(4)];
}

function variables(selector: string): Map<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf("}", start));
  if (start < 0) throw new Error(`no block for ${selector}`);
  return new Map(
    [...block.matchAll(/--soluna-([\w-]+): ([^;]+);/g)].map(([, name, value]) => [name ?? "", value ?? ""]),
  );
}

/** WCAG 2.2, relative luminance and contrast ratio. */
const luminance = (c: Colour) => {
  const [r, g, b] = c.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
};
const contrast = (a: Colour, b: Colour) => {
  const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (light + 0.05) / (dark + 0.05);
};
const over = (front: Colour, back: Colour, opacity: number) =>
  front.map((v, i) => v * opacity + (back[i] ?? 0) * (1 - opacity)) as unknown as Colour;

/** What `filter: saturate()` does (Filter Effects 1, feColorMatrix). */
const saturated = (c: Colour, by: number) => {
  const grey = 0.213 * c[0] + 0.715 * c[1] + 0.072 * c[2];
  return c.map((v) => grey * (1 - by) + v * by) as unknown as Colour;
};
const saturation = Number(/\.soluna-dim [^{]*\{\s*filter: saturate\(([\d.]+)\)/.exec(css)?.[1]);

const light = variables(".soluna");
const dark = new Map([...light, ...variables(".soluna.soluna-dark")]);
const PAGES = { light: ["#ffffff", "#f5f5f5"], dark: ["#111111", "#212121"] };

describe.each([
  ["light", light],
  ["dark", dark],
] as const)("in the %s theme", (theme, names) => {
  const is = (name: string) => hex(names.get(name) ?? name);
  const pages = [...PAGES[theme], names.get("page") ?? ""].map(hex);

  it.each(["ink", "soft", "refused", "trouble", "mark"])("text can be read on the page: %s", (name) => {
    for (const page of pages) expect(contrast(is(name), page)).toBeGreaterThanOrEqual(4.5);
  });

  it("badges and primary buttons can be read", () => {
    expect(contrast(is("badge-ink"), is("badge"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(hex("#241b0c"), is("won"))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(["wins", "loses"])("a hint can be read on its card: %s", (name) => {
    const fill = (selector: string) =>
      new RegExp(`\\n\\.soluna-${selector} \\{\\s*fill: (#\\w{6});`).exec(css)?.[1] ?? "";
    expect(contrast(hex(fill(name)), hex(fill(`${name} rect`)))).toBeGreaterThanOrEqual(7);
  });

  it.each(["mark", "ink", "focus", "gold", "soft"])("marks stand out on the table: %s", (name) => {
    for (const felt of ["felt-0", "felt-1"]) expect(contrast(is(name), is(felt))).toBeGreaterThanOrEqual(3);
  });

  it.each(["line", "focus", "gold"])("marks stand out on the page: %s", (name) => {
    for (const page of pages) expect(contrast(is(name), page)).toBeGreaterThanOrEqual(3);
  });

  it.each([..."SMTC", ..."ABDEFGHIJKLNOPQRUVWXYZ"])(
    "the symbol %s stands out on its disc, also when dimmed",
    (symbol) => {
      const bright = colour(symbol).startsWith("#") ? hex(colour(symbol)) : fromHsl(colour(symbol));
      const dim = Number(names.get("dim"));
      for (const wood of ["wood-0", "wood-1", "wood-2"]) {
        expect(contrast(bright, is(wood))).toBeGreaterThanOrEqual(3);
        for (const felt of ["felt-0", "felt-1"]) {
          const [front, back] = [bright, is(wood)].map((c) => over(saturated(c, saturation), is(felt), dim));
          expect(contrast(front as Colour, back as Colour)).toBeGreaterThanOrEqual(3);
        }
      }
    },
  );
});

describe("other eyes", () => {
  const block = (query: string) => css.slice(css.indexOf(`@media (${query})`));

  it("get system colours for everything but wood and symbols", () => {
    const forced = block("forced-colors: active");
    const system = /^(Canvas|CanvasText|ButtonText|Highlight|GrayText)$/;
    const others = /^(wood|shade|dim|side-wood|sky|page|trouble|refused|r$)/;
    const given = new Map([...forced.matchAll(/--soluna-([\w-]+): ([^;]+);/g)].map((m) => [m[1] ?? "", m[2] ?? ""]));
    for (const name of dark.keys()) if (!others.test(name)) expect(given.get(name), name).toMatch(system);
    for (const name of ["wood-0", "wood-1", "wood-2"]) {
      for (const symbol of "SMTC") {
        expect(contrast(hex(colour(symbol)), hex(given.get(name) ?? ""))).toBeGreaterThanOrEqual(4.5);
      }
    }
  });

  it("see nothing dimmed if they want more contrast", () => {
    // The dark theme's own colours weigh more than one class.
    expect(block("prefers-contrast: more")).toMatch(/\.soluna,\s+\.soluna\.soluna-dark \{[^}]*--soluna-dim: 1;/);
  });

  it("see nothing move if they want less motion", () => {
    expect(block("prefers-reduced-motion: reduce")).toMatch(/animation: none;\s*transition: none;/);
  });
});
