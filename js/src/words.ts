/**
 * The catalogue: every word on screen, by key. A language is one file in `words/` that fills `Words`, and one line here.
 *
 * What is missing there does not pass the type check; `tests/words.test.ts` calls every entry.
 */
import type { ErrorCode, Message, NoticeCode } from "./contract";
import { en } from "./words/en";

/** What a refused request was about, as spoken labels; "" where it was about no stack. */
export interface About {
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

const LANGUAGES: { readonly [language: string]: Words } = { en };

/** The words of a language tag such as "es" or "en-GB"; English where there is no such file. */
export function wordsFor(language: string): Words {
  const name = language.toLowerCase().split("-")[0] ?? "";
  return (Object.hasOwn(LANGUAGES, name) && LANGUAGES[name]) || en;
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
