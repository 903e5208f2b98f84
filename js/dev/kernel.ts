/**
 * A stand-in for Python, for the dev page and the tests: answers requests by the rule of one round, from memory.
 *
 * It is no second engine: every round begins with the first one's discs, and nothing built for users contains it.
 */
import type { Message, Model, Request, Seat, StackId, StackState, State } from "../src/contract";

export interface Start {
  /** Each stack's discs, bottom to top: "S", "TS". */
  readonly stacks: readonly string[];
  readonly radius?: number;
}

/** What it gives as the record of any match. */
export const RECORD = '[Soluna "1"]\n';

/** A model whose other side answers when told to, or at once. */
export class FakeKernel implements Model {
  state: State | null;
  readonly requests: Request[] = [];
  readonly listeners = new Map<string, Set<() => void>>();
  /** What happens to a request when it is sent. */
  sending: "answer" | "answer_later" | "keep" | "throw" = "keep";
  #past: State[] = [];
  #future: State[] = [];
  #unsent: Request | null = null;

  constructor(state: State | null) {
    this.state = state;
  }

  get(_name: "state"): State | null {
    return this.state;
  }

  set(_name: "request", value: Request): void {
    this.#unsent = value;
  }

  save_changes(): void {
    if (this.sending === "throw") throw "no comm channel defined";
    if (this.#unsent === null) return;
    this.requests.push(this.#unsent);
    this.#unsent = null;
    if (this.sending === "answer") this.answer();
    if (this.sending === "answer_later") setTimeout(() => this.answer(), 60);
  }

  on(event: string, callback: () => void): void {
    const all = this.listeners.get(event) ?? new Set();
    this.listeners.set(event, all.add(callback));
  }

  off(event: string, callback: () => void): void {
    this.listeners.get(event)?.delete(callback);
  }

  /** Publishes a change of the state, as Python would. */
  publish(change: Partial<State>): void {
    if (this.state === null) throw new Error("nothing to change");
    this.put({ ...this.state, answer: null, record: null, ...change, serial: this.state.serial + 1 });
  }

  put(state: State): void {
    this.state = state;
    for (const callback of this.listeners.get("change:state") ?? []) callback();
  }

  /** Answers the latest request by the rule. */
  answer(): void {
    const request = this.requests.at(-1);
    const state = this.state;
    if (request === undefined || state === null) throw new Error("nothing to answer");
    const refuse = (code: string, text: string) =>
      this.publish({ answer: { id: request.id, error: { code, params: {}, text } satisfies Message } });
    const accept = (next: State) => this.publish({ ...next, answer: { id: request.id, error: null } });
    if (request.kind === "hello") this.publish({ answer: { id: request.id, error: null } });
    // What is in a record is Python's business: here any text is one.
    else if (request.kind === "record") this.publish({ record: RECORD, answer: { id: request.id, error: null } });
    // Who wins, Python knows: here the first legal move does.
    else if (request.kind === "hints") {
      const hints = state.moves.map(([mover, target], i) => ({ mover, target, won: i === 0, moves: 3 + i, grundy: i }));
      this.publish({ hints: request.on ? hints : null, answer: { id: request.id, error: null } });
    } else if (request.kind === "review") {
      const review = { round: state.round, winner: 0 as Seat, mistakes: [] };
      this.publish({ review, answer: { id: request.id, error: null } });
    } else if (request.revision !== state.revision) refuse("stale", "the table has changed");
    else if (request.kind === "move") {
      const next = play(state, request.mover, request.target);
      if (next === null) {
        refuse("neither_agrees", "neither tops nor heights agree");
      } else {
        this.#past.push(state);
        this.#future = [];
        accept(this.#counted(next));
      }
    } else if (request.kind === "open") {
      const message = {
        code: "invalid_record",
        params: { line: 1, round: null, ply: null },
        text: "line 1: it is empty",
      };
      if (request.record === "") this.publish({ answer: { id: request.id, error: message } });
      else accept(table(TWELVE, { revision: state.revision + 1, round: 3, stars: [1, 1] }));
    } else if (request.kind === "next_round" && state.can.next_round) {
      this.#past.push(state);
      accept(this.#counted(nextRound(state)));
    } else if (request.kind === "choose" && state.can.choose) {
      this.#past.push(state);
      accept(this.#counted(chosen(state, request.order)));
    } else {
      const [from, to] = request.kind === "undo" ? [this.#past, this.#future] : [this.#future, this.#past];
      const other = request.kind === "undo" || request.kind === "redo" ? from.pop() : undefined;
      if (other === undefined) {
        refuse("wrong_phase", "not now");
      } else {
        to.push(state);
        accept(this.#counted({ ...other, revision: state.revision + 1 }));
      }
    }
  }

  #counted(state: State): State {
    return { ...state, can: { ...state.can, undo: this.#past.length > 0, redo: this.#future.length > 0 } };
  }
}

/** A table in play. Unless told otherwise, the stacks lie in a loose grid. */
export function table(start: Start, change: Partial<State> = {}): State {
  const radius = start.radius ?? 42;
  const columns = start.stacks.length > 12 ? 7 : 4;
  const rows = Math.max(3, Math.ceil(start.stacks.length / columns));
  const stacks = start.stacks.map((discs, i): StackState => {
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const [w, h] = [760 / columns, 400 / rows];
    const loose = (k: number) => (((i * k) % 11) / 11 - 0.5) * 0.8;
    return {
      id: i,
      discs: [...discs],
      x: Math.round((column + 0.5) * w + loose(7) * (w - 2 * radius)),
      y: Math.round((row + 0.5) * h + loose(5) * (h - 2 * radius)),
    };
  });
  return {
    serial: 1,
    revision: 0,
    rulebook: "bga",
    misere: false,
    phase: "playing",
    turn: 0,
    players: ["Sol", "Luna"],
    stars: [0, 0],
    stars_to_win: 4,
    round: 1,
    opener: 0,
    winner: null,
    table: { width: 760, height: 400, radius },
    stacks,
    moves: legal(stacks),
    last: null,
    ended: null,
    to_place: 0,
    can: {
      move: true,
      choose: false,
      place: false,
      next_round: false,
      new_match: true,
      undo: false,
      redo: false,
      hints: true,
      review: false,
    },
    opponent: null,
    answer: null,
    notice: null,
    language: null,
    history: [{ round: 1, stars: [0, 0], opener: 0, stacks, moves: [], ended: null }],
    record: null,
    hints: null,
    review: null,
    ...change,
  };
}

export const TWELVE: Start = { stacks: ["S", "M", "T", "C", "S", "M", "T", "C", "S", "M", "T", "C"] };

function legal(stacks: readonly StackState[]): [StackId, StackId][] {
  const agree = (a: StackState, b: StackState) =>
    a.discs.length === b.discs.length || a.discs.at(-1) === b.discs.at(-1);
  return stacks.flatMap((a) =>
    stacks.filter((b) => a !== b && agree(a, b)).map((b): [StackId, StackId] => [a.id, b.id]),
  );
}

/** The table after a move; null if the rule forbids it. */
export function play(state: State, mover: StackId, target: StackId): State | null {
  const moving = state.stacks.find((stack) => stack.id === mover);
  if (!moving || !state.moves.some(([a, b]) => a === mover && b === target)) return null;
  const stacks = state.stacks
    .filter((stack) => stack.id !== mover)
    .map((stack) => (stack.id === target ? { ...stack, discs: [...stack.discs, ...moving.discs] } : stack));
  const moves = legal(stacks);
  const other = state.turn === 0 ? 1 : 0;
  const over = moves.length === 0;
  const stars: [number, number] = [...state.stars];
  if (over) stars[state.turn] += 1;
  const won = stars[state.turn] >= state.stars_to_win;
  const ended = over ? ({ blocked: other, winner: state.turn } as const) : null;
  const now = state.history.at(-1);
  return {
    ...state,
    revision: state.revision + 1,
    history: now
      ? [...state.history.slice(0, -1), { ...now, moves: [...now.moves, [mover, target] as const], ended }]
      : [],
    stacks,
    moves,
    turn: other,
    phase: won ? "match_over" : over ? "round_over" : "playing",
    winner: won ? state.turn : null,
    ended,
    stars,
    last: { mover, target, x: moving.x, y: moving.y, height: moving.discs.length, by: state.turn },
    can: { ...state.can, move: !over, next_round: over && !won, undo: true, redo: false, review: over },
  };
}

/** The loser chooses who opens the round that follows. */
export function nextRound(state: State): State {
  const stacks = state.history[0]?.stacks ?? [];
  return {
    ...state,
    revision: state.revision + 1,
    phase: "choosing",
    round: state.round + 1,
    opener: null,
    ended: null,
    last: null,
    stacks,
    moves: [],
    history: [
      ...state.history,
      { round: state.round + 1, stars: state.stars, opener: null, stacks, moves: [], ended: null },
    ],
    can: { ...state.can, move: false, choose: true, next_round: false, review: false },
  };
}

function chosen(state: State, order: "first" | "second"): State {
  const opener: Seat = order === "first" ? state.turn : state.turn === 0 ? 1 : 0;
  const now = state.history.at(-1);
  return {
    ...state,
    revision: state.revision + 1,
    phase: "playing",
    turn: opener,
    opener,
    moves: legal(state.stacks),
    history: now ? [...state.history.slice(0, -1), { ...now, opener }] : [],
    can: { ...state.can, move: true, choose: false },
  };
}
