/**
 * The wire between Python and the browser: two traits and nothing else.
 *
 * `state` goes from Python to the browser, whole, never in parts.
 * `request` goes from the browser to Python, one at a time.
 *
 * Python's side of this file is `soluna_widget/widget/state.py` and `soluna_widget/widget/requests.py`; the fixtures in
 * `tests/fixtures/wire/` are checked from both languages.
 */

/** 0 sits on the left of the table, 1 on the right. */
export type Seat = 0 | 1;

export type Phase = "placing" | "choosing" | "playing" | "round_over" | "match_over";

/** A stack's number: it keeps it, and its place, when another stack lands on it. */
export type StackId = number;

export interface StackState {
  readonly id: StackId;
  /** The face-up symbol of each disc, bottom to top: S sun, M moon, T stars, C comet, or another capital letter. */
  readonly discs: readonly string[];
  /** Where the middle of the lowest disc's face lies, in table units; y grows downwards. */
  readonly x: number;
  readonly y: number;
}

export interface TableSize {
  /** In table units. */
  readonly width: number;
  readonly height: number;
  /** Half the width of a disc: chosen by Python, so that no two discs overlap. */
  readonly radius: number;
}

/** The move that led to this table; none at the start of a round. */
export interface LastMove {
  /** The stack that moved: it is part of `target` now, so no stack carries this id. */
  readonly mover: StackId;
  readonly target: StackId;
  /** Where the mover lay. */
  readonly x: number;
  readonly y: number;
  /** How many of `target`'s discs, from the top, have moved. */
  readonly height: number;
  readonly by: Seat;
}

/** How the round ended. */
export interface RoundEnd {
  /** Who could not move. */
  readonly blocked: Seat;
  /** Who took the star: the other, or under misère the blocked player. */
  readonly winner: Seat;
}

/** One round of the match, enough to draw every table it had. */
export interface RoundHistory {
  readonly round: number;
  /** Before the round. */
  readonly stars: readonly [number, number];
  readonly opener: Seat | null;
  /** As they lay at its start (while discs are placed: those placed so far). */
  readonly stacks: readonly StackState[];
  /** (mover, target) in order; the opener made the first. */
  readonly moves: readonly (readonly [StackId, StackId])[];
  readonly ended: RoundEnd | null;
}

/** What may be asked for now. `move` is false while the computer thinks. */
export interface Can {
  readonly move: boolean;
  readonly choose: boolean;
  readonly place: boolean;
  readonly next_round: boolean;
  readonly new_match: boolean;
  readonly undo: boolean;
  readonly redo: boolean;
  readonly hints: boolean;
  readonly review: boolean;
}

/** What the solver says of a legal move, for who makes it. */
export interface Hint {
  readonly mover: StackId;
  readonly target: StackId;
  readonly won: boolean;
  /** How many moves are left, this one counted, when the winner hurries and the loser delays. */
  readonly moves: number;
  /** The Grundy value of what it leaves; null under misère. */
  readonly grundy: number | null;
}

/** A move that gave a won position away. */
export interface Mistake {
  /** Which of the round's moves, from 1. */
  readonly move: number;
  readonly by: Seat;
  /** A move that would have won. */
  readonly better: readonly [StackId, StackId];
  /** The move that refutes it; null where under misère the other player was left without one, and so had won. */
  readonly reply: readonly [StackId, StackId] | null;
}

export interface Review {
  readonly round: number;
  /** Who could win from the start. */
  readonly winner: Seat;
  readonly mistakes: readonly Mistake[];
}

/** Something to tell the people at the table: `code` and `params` for the catalogue, `text` in plain English. */
export interface Message {
  readonly code: string;
  readonly params: { readonly [name: string]: unknown };
  readonly text: string;
}

/** The answer to a request; `id` is null where the request had none that could be used. */
export interface Answer {
  readonly id: string | null;
  readonly error: Message | null;
}

export interface Opponent {
  readonly seat: Seat;
  readonly name: string;
  readonly thinking: boolean;
}

export interface State {
  /** Grows with every publication: no two are equal. */
  readonly serial: number;
  /** Grows when the table changes. */
  readonly revision: number;
  readonly rulebook: string;
  readonly misere: boolean;
  readonly phase: Phase;
  /** Who acts; in `round_over` and `match_over`, who cannot move. */
  readonly turn: Seat;
  readonly players: readonly [string, string];
  readonly stars: readonly [number, number];
  /** How many stars win the match. */
  readonly stars_to_win: number;
  /** From 1. */
  readonly round: number;
  /** Who moves first in this round; null while that is still to be chosen. */
  readonly opener: Seat | null;
  /** Of the match. */
  readonly winner: Seat | null;
  readonly table: TableSize;
  readonly stacks: readonly StackState[];
  /** Legal moves, as pairs (mover, target). */
  readonly moves: readonly (readonly [StackId, StackId])[];
  readonly last: LastMove | null;
  readonly ended: RoundEnd | null;
  /** How many discs are still to be placed. */
  readonly to_place: number;
  readonly can: Can;
  readonly opponent: Opponent | null;
  readonly answer: Answer | null;
  /** What went wrong outside any request: a strategy or a callback that raised. */
  readonly notice: Message | null;
  /** The language of the words on screen, such as "es"; null leaves it to the page. States saved earlier lack it. */
  readonly language: string | null;
  /** The match so far, round by round, enough to draw every earlier table. States saved earlier lack it. */
  readonly history: readonly RoundHistory[];
  /** The match as text, in the one state that answers a request of kind "record". States saved earlier lack it. */
  readonly record: string | null;
  /** Of every legal move, where hints are on; else null. States saved earlier lack it. */
  readonly hints: readonly Hint[] | null;
  /** Of the round that is over, once it was asked for. States saved earlier lack it. */
  readonly review: Review | null;
}

export type RequestBody =
  | { readonly kind: "move"; readonly mover: StackId; readonly target: StackId }
  | { readonly kind: "choose"; readonly order: "first" | "second" }
  | { readonly kind: "place" }
  | { readonly kind: "next_round" }
  | { readonly kind: "new_match" }
  | { readonly kind: "undo" }
  | { readonly kind: "redo" }
  | { readonly kind: "record" }
  | { readonly kind: "hints"; readonly on: boolean }
  | { readonly kind: "review" }
  /** Another match on this table; undo at its very start brings this one back. */
  | { readonly kind: "open"; readonly record: string }
  /** "Is anybody there?": changes nothing and is answered whatever the revision. */
  | { readonly kind: "hello" };

export type Request = RequestBody & {
  /** Random text, new with each page load. */
  readonly id: string;
  /** The revision the request was made for. */
  readonly revision: number;
};

/** The codes of `Answer.error`. */
export type ErrorCode =
  | "malformed"
  | "stale"
  | "wrong_phase"
  | "computers_turn"
  | "no_such_stack"
  | "one_stack"
  | "neither_agrees"
  | "nothing_to_undo"
  | "nothing_to_redo"
  | "invalid_record"
  | "too_many"
  | "failed";

/** The codes of `State.notice`. */
export type NoticeCode = "opponent_failed" | "callback_failed";

/** What the table uses of an anywidget model, typed to the two traits. */
export interface Model {
  get(name: "state"): State | null | undefined;
  set(name: "request", value: Request): void;
  save_changes(): void;
  on(event: string, callback: () => void): void;
  off(event: string, callback: () => void): void;
}
