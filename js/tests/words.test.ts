// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { ErrorCode, Message, NoticeCode } from "../src/contract";
import { errorText, noticeText, type Words, wordsFor } from "../src/words";
import { en } from "../src/words/en";

const LANGUAGES: readonly (readonly [string, Words])[] = [["en", en]];
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
  failed: true,
};
const NOTICES: { readonly [code in NoticeCode]: true } = { opponent_failed: true, callback_failed: true };

describe.each(LANGUAGES)("the catalogue of %s", (_, words) => {
  it.each(Object.keys(ERRORS))("has words for the error %s", (code) => {
    expect(words.errors[code as ErrorCode](ABOUT, message(code))).toMatch(/\w.*[.!]$/);
  });

  it.each(Object.keys(NOTICES))("has words for the notice %s", (code) => {
    expect(words.notices[code as NoticeCode](message(code))).toMatch(/\w.*[.!]$/);
  });

  it("says something for every key", () => {
    const said: { readonly [key in keyof Omit<Words, "errors" | "notices">]: string } = {
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
      stack: words.stack("sun", 2),
      round: words.round(2, true),
      stars_of: words.stars_of("Sol", 1, 4),
      waiting_for_state: words.waiting_for_state,
      to_move: words.to_move("Sol"),
      to_begin: words.to_begin("Sol"),
      holds: words.holds("Sol", "sun, height 2", 2),
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
      moved: words.moved("Sol", "sun, height 1", "moon, height 1", "sun, height 2"),
      moved_back: words.moved_back("sun, height 1"),
      placed: words.placed("sun", 7),
      round_begins: words.round_begins(2, "Sol"),
      match_begins: words.match_begins("Sol"),
      order_chosen: words.order_chosen("Sol"),
      table_changed: words.table_changed(7),
    };
    expect(Object.keys(said).sort()).toEqual(
      Object.keys(words)
        .filter((k) => k !== "errors" && k !== "notices")
        .sort(),
    );
    for (const text of Object.values(said)) expect(text).toMatch(/\p{L}{3,}/u);
    for (const text of Object.values(said)) expect(text).not.toMatch(/undefined|NaN|\[object/);
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
