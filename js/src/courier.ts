/**
 * Carries requests to Python, one at a time, and knows what has become of them.
 *
 * Nothing here knows the game. Two quick requests may be merged into one on their way to a busy kernel, hence one at a time.
 */
import type { Answer, Model, Request, RequestBody, State } from "./contract";

export const BUSY_AFTER = 1500;
export const SILENT_AFTER = 8000;
export const HELLO_WITHIN = 5000;

/**
 * busy: the answer is late. silent: it did not come, and we stopped waiting.
 * unreachable: the request could not even be sent, or nobody had answered before it.
 */
export type Trouble = "busy" | "silent" | "unreachable" | null;

export interface Arrival {
  /** The request of ours that this state answers, if any. */
  readonly request: Request | null;
  readonly answer: Answer | null;
}

export class Courier {
  readonly #model: Model;
  /** Called when waiting turns into trouble; `given_up` is the request that we no longer wait for. */
  readonly #changed: (givenUp: Request | null) => void;
  readonly #name = randomText();
  #count = 0;
  #pending: Request | null = null;
  #overdue: Request | null = null;
  #trouble: Trouble = null;
  #noKernel = false;
  #hello: string | null = null;
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();
  #newest = Number.NEGATIVE_INFINITY;

  constructor(model: Model, changed: (givenUp: Request | null) => void) {
    this.#model = model;
    this.#changed = changed;
  }

  get pending(): Request | null {
    return this.#pending;
  }

  get trouble(): Trouble {
    return this.#trouble;
  }

  /** Nobody answered when the table was first drawn: what is shown was saved earlier. */
  get noKernel(): boolean {
    return this.#noKernel;
  }

  /** Whether anybody is there: not known yet, yes, or no. */
  get line(): "asked" | "alive" | "none" {
    if (this.#hello !== null) return "asked";
    return this.#noKernel ? "none" : "alive";
  }

  /** Asks whether anybody is there. Neither waits for anything nor keeps anything waiting. */
  hello(state: State | null): void {
    this.#newest = state?.serial ?? this.#newest;
    const request = this.#label({ kind: "hello" }, state?.revision ?? 0);
    this.#hello = request.id;
    const nobody = () => {
      this.#hello = null;
      this.#noKernel = true;
    };
    if (!this.#send(request)) {
      nobody();
      return;
    }
    this.#later(HELLO_WITHIN, () => {
      if (this.#hello !== request.id) return;
      nobody();
      const pending = this.#pending;
      if (pending !== null) this.#giveUp(pending, "silent");
      this.#changed(pending);
    });
  }

  /** Sends a request unless one is due: "sent", "waiting" (not sent), or "unreachable" (see `Trouble`). */
  ask(body: RequestBody, revision: number): "sent" | "waiting" | "unreachable" {
    if (this.#pending !== null) return "waiting";
    const request = this.#label(body, revision);
    this.#overdue = null;
    this.#trouble = null;
    // Due before it is sent: where Python runs in the page, the answer may come before `send` returns.
    this.#pending = request;
    if (!this.#send(request)) {
      this.#pending = null;
      this.#trouble = "unreachable";
      return "unreachable";
    }
    if (this.#pending === null) return "sent";
    if (this.#noKernel) {
      // A kernel that was only busy may still answer, but nothing waits for it: on an exported page none ever does.
      this.#giveUp(request, "unreachable");
      return "unreachable";
    }
    this.#later(BUSY_AFTER, () => {
      if (this.#pending?.id !== request.id) return;
      this.#trouble = "busy";
      this.#changed(null);
    });
    this.#later(SILENT_AFTER, () => {
      if (this.#pending?.id !== request.id) return;
      this.#giveUp(request, "silent");
      this.#changed(request);
    });
    return "sent";
  }

  /** Takes note of a state that has come. */
  receive(state: State): Arrival {
    const answer = state.answer;
    if (state.serial > this.#newest) {
      this.#newest = state.serial;
      this.#hello = null;
      this.#noKernel = false;
      // Somebody is there after all. A request that is still due stays due.
      if (this.#pending === null) this.#trouble = null;
    }
    const mine = [this.#pending, this.#overdue].find((request) => request && request.id === answer?.id) ?? null;
    if (mine === null) return { request: null, answer: null };
    if (mine === this.#pending) this.#pending = null;
    this.#overdue = null;
    this.#trouble = null;
    return { request: mine, answer };
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#pending = null;
    this.#hello = null;
  }

  /** No longer waits for a request that was sent; its answer may still come. */
  #giveUp(request: Request, trouble: Trouble): void {
    this.#pending = null;
    this.#overdue = request;
    this.#trouble = trouble;
  }

  #label(body: RequestBody, revision: number): Request {
    this.#count += 1;
    return { ...body, id: `${this.#name}-${this.#count}`, revision };
  }

  #send(request: Request): boolean {
    try {
      this.#model.set("request", request);
      this.#model.save_changes();
      return true;
    } catch {
      // Hosts throw an Error or a bare string when the comm is gone.
      return false;
    }
  }

  #later(delay: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, delay);
    this.#timers.add(timer);
  }
}

/** Text that no other page load has made; `crypto.randomUUID` does not exist on plain http. */
export function randomText(): string {
  const numbers = new Uint32Array(3);
  if (typeof crypto !== "undefined" && typeof crypto.getRandomValues === "function") crypto.getRandomValues(numbers);
  else for (let i = 0; i < numbers.length; i++) numbers[i] = Math.random() * 2 ** 32;
  return Array.from(numbers, (number) => number.toString(36)).join("");
}
