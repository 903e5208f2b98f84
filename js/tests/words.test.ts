// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ErrorCode, Message, NoticeCode } from "../src/contract";
import { errorText, LANGUAGES, languageOf, noticeText, type Words, wordsFor } from "../src/words";
import { en } from "../src/words/en";
import { es } from "../src/words/es";

const SOURCE = join(import.meta.dirname, "../src");
const ABOUT = { mover: "moon, height 2", target: "sun, height 3" };
const ENDING = { blocked: "Luna", winner: "Sol", misere: false, single: false };
const message = (code: string, params = {}): Message => ({ code, params, text: "python's own words" });

const ERRORS: { readonly [code in ErrorCode]: true } = {
  malformed: true,
  stale: true,
  wrong_phase: true,
  computers_turn: true,
  no_such_stack: true,
  one_stack: true,
  neither_agrees: true,
  nothing_to_undo: true,
  nothing_to_redo: true,
  invalid_record: true,
  too_many: true,
  failed: true,
};
const NOTICES: { readonly [code in NoticeCode]: true } = { opponent_failed: true, callback_failed: true };

/** Every entry of a catalogue, said once about the same things; the type check finds a key that is missing here. */
const said = (words: Words): { readonly [key in keyof Omit<Words, "errors" | "notices">]: string } => ({
  play_first: words.play_first,
  play_second: words.play_second,
  next_round: words.next_round,
  place: words.place,
  new_match: words.new_match,
  undo: words.undo,
  redo: words.redo,
  game: words.game,
  table: words.table,
  actions: words.actions,
  symbol: words.symbol("S"),
  can_go_on: words.can_go_on(3),
  is_taken: words.is_taken,
  is_target: words.is_target,
  is_no_target: words.is_no_target,
  stacks: words.stacks,
  times: words.times(words.stack("B", 1), 3),
  on_table: words.on_table(7, "B"),
  help: words.help,
  help_keys: words.help_keys.map((line) => line.join(": ")).join("\n"),
  replay: words.replay,
  replay_buttons: words.replay_buttons,
  first_move: words.first_move,
  move_back: words.move_back,
  move_forward: words.move_forward,
  last_move: words.last_move,
  back_to_table: words.back_to_table,
  looking: words.looking(2, 3, 9),
  replay_ended: words.replay_ended,
  open: words.open,
  save: words.save,
  opened: words.opened,
  saved: words.saved("match.soluna"),
  too_long: words.too_long,
  hints: words.hints,
  hints_on: words.hints_on,
  hints_off: words.hints_off,
  hint: words.hint(true, 5),
  value: words.value(2),
  review: words.review,
  review_start: words.review_start("Sol"),
  no_mistake: words.no_mistake("Sol"),
  mistake: words.mistake("Sol", ABOUT, ABOUT, null),
  show_move: words.show_move(3),
  took: words.took(words.stack("B", 2), 3),
  let_go: words.let_go(words.stack("B", 2)),
  stack: words.stack("B", 2),
  round: words.round(2, true),
  stars_of: words.stars_of("Sol", 1, 4),
  waiting_for_state: words.waiting_for_state,
  to_move: words.to_move("Sol"),
  to_begin: words.to_begin("Sol"),
  holds: words.holds("Sol", words.stack("B", 2), 2),
  thinking: words.thinking("Luna"),
  not_now: words.not_now("Luna"),
  choose_youngest: words.choose_youngest("Sol"),
  choose_loser: words.choose_loser("Sol"),
  chooses: words.chooses("Luna"),
  places: words.places("Sol", 7),
  round_over: words.round_over(ENDING),
  match_over: words.match_over(ENDING, "Sol", 4, 2),
  busy: words.busy,
  silent: words.silent,
  unreachable: words.unreachable,
  no_kernel: words.no_kernel,
  moved: words.moved("Sol", words.stack("B", 1), words.stack("C", 1), words.stack("B", 2)),
  moved_back: words.moved_back(words.stack("B", 1)),
  placed: words.placed("B", 7),
  round_begins: words.round_begins(2, "Sol"),
  match_begins: words.match_begins("Sol"),
  order_chosen: words.order_chosen("Sol"),
  table_changed: words.table_changed(7),
});
const failures = (words: Words): [string, string][] => [
  ...Object.entries(words.errors).map(([code, say]): [string, string] => [code, say(ABOUT, message(code))]),
  ...Object.entries(words.notices).map(([code, say]): [string, string] => [code, say(message(code))]),
];

describe.each(Object.entries(LANGUAGES))("the catalogue of %s", (_, words) => {
  it.each(Object.keys(ERRORS))("has words for the error %s", (code) => {
    expect(words.errors[code as ErrorCode](ABOUT, message(code))).toMatch(/\w.*[.!]$/);
  });

  it.each(Object.keys(NOTICES))("has words for the notice %s", (code) => {
    expect(words.notices[code as NoticeCode](message(code))).toMatch(/\w.*[.!]$/);
  });

  it("says something for every key", () => {
    const all = said(words);
    expect(Object.keys(all).sort()).toEqual(
      Object.keys(words)
        .filter((k) => k !== "errors" && k !== "notices")
        .sort(),
    );
    for (const text of Object.values(all)) expect(text).toMatch(/\p{L}{3,}/u);
    for (const text of Object.values(all)) expect(text).not.toMatch(/undefined|NaN|\[object/);
  });
});

describe("every language", () => {
  const others = Object.entries(LANGUAGES).filter(([name]) => name !== "en");
  /** Names that are the same in every language. */
  const SAME = new Set(["game"]);

  it("is a file, and every file is a language", () => {
    const files = readdirSync(join(SOURCE, "words")).map((name) => name.replace(".ts", ""));
    expect(files.sort()).toEqual(Object.keys(LANGUAGES).sort());
  });

  it.each(others)("has no key missing and none too many: %s", (_, words) => {
    const keys = (of: object): string[] =>
      Object.entries(of).flatMap(([key, value]) =>
        [key, ...(key === "errors" || key === "notices" ? keys(value) : [])].map((name) => name),
      );
    expect(keys(words).sort()).toEqual(keys(en).sort());
    expect(words.help_keys).toHaveLength(en.help_keys.length);
  });

  it.each(others)("leaves nothing in English: %s", (_, words) => {
    const [mine, english] = [said(words), said(en)];
    const left = Object.keys(english).filter(
      (key) => mine[key as keyof typeof mine] === english[key as keyof typeof english],
    );
    expect(new Set(left)).toEqual(SAME);
    const lines = words.help_keys.filter(([, meaning], i) => meaning === en.help_keys[i]?.[1]);
    expect(lines).toEqual([]);
    const failed = new Map(failures(en));
    expect(failures(words).filter(([code, text]) => failed.get(code) === text)).toEqual([]);
    for (const symbol of "SMTC") expect(words.symbol(symbol)).not.toBe(en.symbol(symbol));
  });

  it("has no key that nothing uses", () => {
    const code = readdirSync(SOURCE, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && entry.name !== "words.ts")
      .map((entry) => readFileSync(join(SOURCE, entry.name), "utf8"))
      .join("\n");
    const unused = Object.keys(en).filter((key) => !new RegExp(`ords\\.${key}\\b|"${key}"`).test(code));
    expect(unused.filter((key) => key !== "errors" && key !== "notices")).toEqual([]);
  });

  it("is that of the state, else of the page, else of the browser", () => {
    expect(languageOf("es", "en")).toBe("es");
    expect(languageOf("es-MX")).toBe("es");
    expect(languageOf("es_ES")).toBe("es");
    expect(languageOf(null, "", undefined, "es")).toBe("es");
    expect(languageOf("fr", "es")).toBe("es");
    expect(languageOf("fr", "constructor")).toBe("en");
  });
});

describe("Spanish", () => {
  it("calls the comet a shooting star, and lets articles agree", () => {
    expect(es.stack(es.symbol("C"), 2)).toBe("estrella fugaz, altura 2");
    expect(["S", "M", "T", "C"].map((symbol) => es.placed(es.symbol(symbol), 1))).toEqual([
      "En la mesa hay un sol más; queda 1.",
      "En la mesa hay una luna más; queda 1.",
      "En la mesa hay unas estrellas más; queda 1.",
      "En la mesa hay una estrella fugaz más; queda 1.",
    ]);
  });

  it("counts one and many", () => {
    expect(es.can_go_on(0)).toBe("ningún destino válido");
    expect(es.can_go_on(1)).toBe("1 destino válido");
    expect(es.can_go_on(2)).toBe("2 destinos válidos");
  });
});

describe("English", () => {
  it("explains a refused move with both stacks", () => {
    expect(errorText(en, message("neither_agrees"), ABOUT)).toBe(
      "Moon, height 2 cannot go on sun, height 3: neither tops nor heights agree.",
    );
  });

  it("names what failed, and survives parameters of any kind", () => {
    const params = { name: "clever", error: "ZeroDivisionError" };
    expect(noticeText(en, message("opponent_failed", params))).toMatch(/^clever failed: ZeroDivisionError\./);
    expect(errorText(en, message("failed", params), ABOUT)).toContain("Python: ZeroDivisionError.");
    for (const odd of [{ name: 3, error: {} }, { error: null }, {}]) {
      expect(noticeText(en, message("opponent_failed", odd))).toMatch(/^The computer failed\. /);
      expect(errorText(en, message("computers_turn", odd), ABOUT)).toBe("It is the computer’s turn.");
    }
  });

  it("explains how a round ended", () => {
    expect(en.round_over(ENDING)).toBe("Luna cannot move: all tops and all heights differ. Sol takes a star.");
    expect(en.round_over({ ...ENDING, single: true })).toContain("one single stack is left");
    expect(en.round_over({ ...ENDING, winner: "Luna", misere: true })).toContain(
      "Luna cannot move and so takes the star",
    );
  });

  it("counts one and many", () => {
    expect(en.holds("Sol", "sun, height 2", 1)).toContain("1 stack:");
    expect(en.holds("Sol", "sun, height 2", 0)).toContain("no other stack");
    expect(en.stars_of("Sol", 1, 1)).toBe("Sol has 1 of 1 star");
  });
});

it("falls back to Python's words for a code it does not know, even an odd one", () => {
  for (const code of ["brand_new", "constructor", "__proto__"]) {
    expect(errorText(en, message(code), ABOUT)).toBe("Python's own words.");
    expect(noticeText(en, message(code))).toBe("Python's own words.");
  }
  expect(errorText(en, message("neither_agrees"), { mover: "", target: "" })).toBe("Python's own words.");
});

it("falls back to English for a language it does not have", () => {
  expect(wordsFor("en-GB")).toBe(en);
  expect(wordsFor("xx")).toBe(en);
  expect(wordsFor("constructor")).toBe(en);
});
