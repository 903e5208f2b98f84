/**
 * What the eye sees move. The scene runs behind the state and always ends equal to it.
 *
 * A new table ends every glide at once, with one exception: a move that follows a move still gliding waits for it to land,
 * so that one sees the computer answer. The clock is the page's animation frames, so nothing runs in a hidden page.
 */
import type { StackState } from "./contract";
import type { Point } from "./geometry";
import { type Movement, movements, sameStacks } from "./scene";

export const GLIDE = 230;
/** The last part of a glide: a small settle on landing. */
const SETTLE = 0.18;

export interface Flight {
  readonly movement: Movement;
  /** From 0 to 1 along the way, eased. */
  readonly progress: number;
  /** From 0 to 1: how high above the table. */
  readonly lift: number;
}

export interface Scene {
  /** What lies still. */
  readonly piles: readonly StackState[];
  readonly flights: readonly Flight[];
}

interface Transition {
  readonly during: readonly StackState[];
  readonly moving: readonly Movement[];
  readonly after: readonly StackState[];
  readonly forth: boolean;
}

export class Motion {
  readonly #changed: (what: "moved" | "landed") => void;
  #lying: readonly StackState[] = [];
  #running: Transition | null = null;
  #waiting: Transition | null = null;
  #started: number | null = null;
  #now = 0;
  #frame: number | null = null;
  #arrivals: ReadonlySet<number> = new Set();

  constructor(changed: (what: "moved" | "landed") => void) {
    this.#changed = changed;
  }

  get gliding(): boolean {
    return this.#running !== null;
  }

  /** Stacks that lie on the table now and came from nowhere: a disc placed, a new round. */
  get arrivals(): ReadonlySet<number> {
    return this.#arrivals;
  }

  scene(): Scene {
    const run = this.#running;
    if (run === null) return { piles: this.#lying, flights: [] };
    const t = this.#started === null ? 0 : Math.min(1, (this.#now - this.#started) / GLIDE);
    const way = Math.min(1, t / (1 - SETTLE));
    const progress = 1 - (1 - way) ** 3;
    const lift = way < 1 ? 4 * way * (1 - way) : 0.1 * Math.sin((Math.PI * (t - 1 + SETTLE)) / SETTLE);
    return { piles: run.during, flights: run.moving.map((movement) => ({ movement, progress, lift })) };
  }

  /** Where everything will lie when all glides have ended. */
  get destination(): readonly StackState[] {
    return (this.#waiting ?? this.#running)?.after ?? this.#lying;
  }

  /**
   * Shows another table; glides there if that is a move, forth or back, and `still` does not forbid it.
   * A move that was made by hand starts `from` where the hand is.
   */
  show(stacks: readonly StackState[], still: boolean, from: Point | null = null): void {
    const before = this.destination;
    if (sameStacks(before, stacks)) return;
    const found = still ? [] : movements(before, stacks);
    const moving = from === null ? found : found.map((one) => ({ ...one, from: { ...one.from, ...from } }));
    const forth = stacks.length < before.length;
    const next: Transition | null =
      moving.length === 0 ? null : { during: lying(before, stacks, forth), moving, after: stacks, forth };
    const known = new Set(before.map((stack) => stack.id));
    this.#arrivals = new Set(
      still || next !== null
        ? []
        : stacks.filter((s) => !known.has(s.id) || stacks.length > known.size).map((s) => s.id),
    );
    if (next?.forth && this.#running?.forth && this.#waiting === null) {
      this.#waiting = next;
      return;
    }
    this.#end();
    this.#lying = before;
    if (next === null) this.#lying = stacks;
    else this.#start(next);
  }

  /** Ends every glide at its destination. */
  finish(): void {
    const destination = this.destination;
    this.#end();
    this.#lying = destination;
  }

  #start(transition: Transition): void {
    this.#running = transition;
    this.#started = null;
    this.#frame = requestAnimationFrame(this.#tick);
  }

  #end(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
    this.#running = null;
    this.#waiting = null;
  }

  readonly #tick = (now: number): void => {
    this.#frame = null;
    const run = this.#running;
    if (run === null) return;
    this.#now = now;
    this.#started ??= now;
    if (now - this.#started < GLIDE) {
      this.#frame = requestAnimationFrame(this.#tick);
      this.#changed("moved");
      return;
    }
    const next = this.#waiting;
    this.#running = null;
    this.#waiting = null;
    this.#lying = run.after;
    if (next !== null) this.#start(next);
    this.#changed("landed");
  };
}

/** What lies still while the rest glides: without the stacks that move, and piles without the discs that will land. */
function lying(before: readonly StackState[], after: readonly StackState[], forth: boolean): readonly StackState[] {
  return forth
    ? before.filter((stack) => after.some((other) => other.id === stack.id))
    : after.filter((stack) => before.some((other) => other.id === stack.id));
}

export function wantsStillness(): boolean {
  return (
    typeof requestAnimationFrame !== "function" ||
    (typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches)
  );
}
