/**
 * The catalogue: every word on screen, by key. A language is one file in `words/` that fills `Words`, and one line here.
 *
 * What is missing there does not pass the type check; `tests/words.test.ts` calls every entry.
 */
import type { ErrorCode, Message, NoticeCode } from "./contract";
import { en } from "./words/en";
import { es } from "./words/es";

/** What a refused request was about, as spoken labels; "" where it was about no stack. */
export interface About {
  readonly mover: string;
  readonly target: string;
}

export interface Pair {
  readonly mover: string;
  readonly target: string;
}

export interface Ending {
  readonly blocked: string;
  readonly winner: string;
  readonly misere: boolean;
  /** One single stack is left; else all tops and all heights differ. */
  readonly single: boolean;
}

export interface Words {
  readonly play_first: string;
  readonly play_second: string;
  readonly next_round: string;
  readonly place: string;
  readonly new_match: string;
  readonly undo: string;
  readonly redo: string;

  readonly game: string;
  readonly table: string;
  readonly actions: string;
  /** A symbol's name; a letter without one is its own name. */
  readonly symbol: (symbol: string) => string;
  readonly stack: (top: string, height: number) => string;
  readonly round: (round: number, misere: boolean) => string;
  readonly stars_of: (name: string, stars: number, of: number) => string;

  /** What a stack can do, after its label. */
  readonly can_go_on: (targets: number) => string;
  readonly is_taken: string;
  readonly is_target: string;
  readonly is_no_target: string;
  readonly stacks: string;
  /** The same kind of stack, several times. */
  readonly times: (stack: string, times: number) => string;
  readonly on_table: (stacks: number, listed: string) => string;

  readonly help: string;
  /** Which keys, and what they do. */
  readonly help_keys: readonly (readonly [keys: string, meaning: string])[];

  readonly replay: string;
  readonly replay_buttons: string;
  readonly first_move: string;
  readonly move_back: string;
  readonly move_forward: string;
  readonly last_move: string;
  readonly back_to_table: string;
  readonly looking: (round: number, move: number, of: number) => string;
  readonly replay_ended: string;

  readonly open: string;
  readonly save: string;
  readonly opened: string;
  readonly saved: (file: string) => string;
  readonly too_long: string;

  readonly hints: string;
  readonly hints_on: string;
  readonly hints_off: string;
  /** Of a move: whether it wins, and how many moves are left with it. */
  readonly hint: (won: boolean, moves: number) => string;
  readonly value: (grundy: number) => string;
  readonly review: string;
  readonly review_start: (winner: string) => string;
  readonly no_mistake: (winner: string) => string;
  /** Pairs of stacks, mover and target; no reply where the other player was left without a move, and so had won. */
  readonly mistake: (name: string, played: Pair, better: Pair, reply: Pair | null) => string;
  readonly show_move: (move: number) => string;

  // What to do.
  readonly waiting_for_state: string;
  readonly to_move: (name: string) => string;
  readonly to_begin: (name: string) => string;
  readonly holds: (name: string, stack: string, targets: number) => string;
  readonly thinking: (name: string) => string;
  readonly not_now: (name: string) => string;
  readonly choose_youngest: (name: string) => string;
  readonly choose_loser: (name: string) => string;
  readonly chooses: (name: string) => string;
  readonly places: (name: string, left: number) => string;
  readonly round_over: (ending: Ending) => string;
  readonly match_over: (ending: Ending, champion: string, stars: number, others: number) => string;

  // The line to Python.
  readonly busy: string;
  readonly silent: string;
  readonly unreachable: string;
  readonly no_kernel: string;

  // What happened.
  readonly took: (stack: string, targets: number) => string;
  readonly let_go: (stack: string) => string;
  readonly moved: (name: string, mover: string, target: string, result: string) => string;
  readonly moved_back: (stack: string) => string;
  readonly placed: (symbol: string, left: number) => string;
  readonly round_begins: (round: number, opener: string) => string;
  readonly match_begins: (opener: string) => string;
  readonly order_chosen: (opener: string) => string;
  readonly table_changed: (stacks: number) => string;

  readonly errors: { readonly [code in ErrorCode]: (about: About, message: Message) => string };
  readonly notices: { readonly [code in NoticeCode]: (message: Message) => string };
}

export const LANGUAGES: { readonly [language: string]: Words } = { en, es };

/** The first language that has a file, of tags such as "es" or "en-GB"; English where none has. */
export function languageOf(...tags: readonly (string | null | undefined)[]): string {
  const names = tags.map((tag) => tag?.toLowerCase().split(/[-_]/)[0] ?? "");
  return names.find((name) => Object.hasOwn(LANGUAGES, name)) ?? "en";
}

export function wordsFor(language: string): Words {
  return LANGUAGES[languageOf(language)] ?? en;
}

/** A parameter of a message as text; "" where it is missing or no text. */
export function param(message: Message, name: string): string {
  const value = Object.hasOwn(message.params, name) ? message.params[name] : "";
  return typeof value === "string" ? value : "";
}

export function errorText(words: Words, message: Message, about: About): string {
  const say = Object.hasOwn(words.errors, message.code) ? words.errors[message.code as ErrorCode] : undefined;
  return say?.(about, message) || plain(message);
}

export function noticeText(words: Words, message: Message): string {
  const say = Object.hasOwn(words.notices, message.code) ? words.notices[message.code as NoticeCode] : undefined;
  return say?.(message) || plain(message);
}

/** Python's own words for a code that no language knows yet, as a sentence. */
function plain({ text, code }: Message): string {
  const sentence = (text || code).trim();
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}${/[.!?…]$/.test(sentence) ? "" : "."}`;
}
