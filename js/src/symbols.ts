/**
 * The symbols: bold silhouettes in a square from -50 to 50, told apart by shape alone.
 *
 * Shapes and colours lie in the Python package, which draws the same discs without a browser. A class room may have up to
 * 26 symbols; one without a drawing of its own is shown as its letter.
 */
import drawn from "../../soluna_widget/symbols.json";

const DRAWN: { readonly [symbol: string]: { readonly colour: string; readonly path: string } } = drawn;

function star(x: number, y: number, radius: number, turn: number): string {
  const points = Array.from({ length: 10 }, (_, i) => {
    const r = i % 2 === 0 ? radius : radius * 0.46;
    const angle = ((turn + i * 36) * Math.PI) / 180;
    return `${(x + r * Math.sin(angle)).toFixed(1)} ${(y - r * Math.cos(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

/** The silhouette of a symbol; null for a letter without one. */
export function silhouette(symbol: string): string | null {
  return Object.hasOwn(DRAWN, symbol) ? (DRAWN[symbol]?.path ?? null) : null;
}

/** A colour that is bright on wood; letters without a drawing take hues far from their neighbours'. */
export function colour(symbol: string): string {
  if (Object.hasOwn(DRAWN, symbol)) return DRAWN[symbol]?.colour ?? "";
  const index = (symbol.codePointAt(0) ?? 65) - 65;
  return `hsl(${Math.round((index * 137.5 + 20) % 360)} 68% ${index % 2 === 0 ? 86 : 82}%)`;
}

/** A five-pointed star for the stars won. */
export const WON = star(0, 4, 48, 0);
