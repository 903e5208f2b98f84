/**
 * The symbols: bold silhouettes in a square from -50 to 50, told apart by shape alone.
 *
 * A class room may have up to 26 symbols; one without a drawing of its own is shown as its letter.
 */

/** Rays, long and short in turn, around a disc. */
function sun(): string {
  const rays = Array.from({ length: 16 }, (_, i) => {
    const angle = (i * Math.PI) / 8;
    const tip = i % 2 === 0 ? 50 : 39;
    const half = i % 2 === 0 ? 0.2 : 0.16;
    const at = (r: number, a: number) => `${(r * Math.sin(a)).toFixed(1)} ${(-r * Math.cos(a)).toFixed(1)}`;
    return `M${at(27, angle - half)}L${at(tip, angle)}L${at(27, angle + half)}Z`;
  });
  return `M0-22.5A22.5 22.5 0 0 1 0 22.5A22.5 22.5 0 0 1 0-22.5Z${rays.join("")}`;
}

function star(x: number, y: number, radius: number, turn: number): string {
  const points = Array.from({ length: 10 }, (_, i) => {
    const r = i % 2 === 0 ? radius : radius * 0.46;
    const angle = ((turn + i * 36) * Math.PI) / 180;
    return `${(x + r * Math.sin(angle)).toFixed(1)} ${(y - r * Math.cos(angle)).toFixed(1)}`;
  });
  return `M${points.join("L")}Z`;
}

const MOON = "M12-45A46 46 0 1 0 45 14A35 35 0 1 1 12-45Z";

const STARS = star(-17, 8, 30, -8) + star(24, -22, 21, 14) + star(23, 29, 16, 4);

/** A round head low on the left, clear of the badge, and three tails that taper away from it. */
const COMET =
  "M-20-1A22 22 0 1 1-20 43A22 22 0 1 1-20-1ZM49-46Q10-34-13-6Q-3-4 4 5Q18-24 49-46ZM10-48Q-19-33-31-4Q-24-7-18-6.5Q-11-29 10-48ZM50-10Q25-1 7 10Q9 19 7 27Q22 6 50-10Z";

const PATHS: { readonly [symbol: string]: string } = { S: sun(), M: MOON, T: STARS, C: COMET };

/** The silhouette of a symbol; null for a letter without one. */
export function silhouette(symbol: string): string | null {
  return Object.hasOwn(PATHS, symbol) ? (PATHS[symbol] ?? null) : null;
}

/** A colour that is bright on wood; letters without a drawing take hues far from their neighbours'. */
export function colour(symbol: string): string {
  if (silhouette(symbol) !== null) return `var(--soluna-${symbol})`;
  const index = (symbol.codePointAt(0) ?? 65) - 65;
  return `hsl(${Math.round((index * 137.5 + 20) % 360)} 68% ${index % 2 === 0 ? 78 : 68}%)`;
}

/** A five-pointed star for the stars won. */
export const WON = star(0, 4, 48, 0);
