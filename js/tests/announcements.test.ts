// @vitest-environment node
import { describe, expect, it } from "vitest";
import { play, TWELVE, table } from "../dev/kernel";
import { announcements, ending } from "../src/announcements";
import type { State } from "../src/contract";
import { en } from "../src/words/en";

const start = table(TWELVE);
const move = (state: State, mover: number, target: number) => play(state, mover, target) as State;
const say = (before: State, next: State) => announcements(en, before, next);

describe("what happened, in words", () => {
  it("is a move, with both stacks and what became of them", () => {
    expect(say(start, move(start, 0, 1))).toEqual(["Sol puts sun, height 1 on moon, height 1: now sun, height 2."]);
  });

  it("names who moved, though the turn has passed", () => {
    const one = move(start, 0, 1);
    expect(say(one, move(one, 4, 2))[0]).toMatch(/^Luna puts /);
  });

  it("is an undo, and several at once", () => {
    const one = move(start, 0, 1);
    const two = move(one, 2, 3);
    const can = { ...start.can, redo: true };
    expect(say(one, { ...start, can, revision: 2 })).toEqual(["Taken back: sun, height 1 lies on the table again."]);
    expect(say(two, { ...start, can, revision: 3 })).toHaveLength(2);
  });

  it("is a move and the end of the round, in this order", () => {
    const last = table({ stacks: ["S", "M"] });
    expect(say(last, move(last, 0, 1))).toEqual([
      "Sol puts sun, height 1 on moon, height 1: now sun, height 2.",
      "Luna cannot move: one single stack is left. Sol takes a star.",
    ]);
  });

  it("is a disc that was placed", () => {
    const placing = table({ stacks: ["S", "M"] }, { phase: "placing", to_place: 10 });
    const next = { ...placing, revision: 1, to_place: 9, stacks: table({ stacks: ["S", "M", "C"] }).stacks };
    const known = next.stacks.map((stack) => placing.stacks.find((other) => other.id === stack.id) ?? stack);
    expect(say(placing, { ...next, stacks: known })).toEqual(["Comet placed, 9 left."]);
  });

  it("is who moves first, once that is chosen", () => {
    const choosing = { ...start, phase: "choosing" as const, opener: null };
    expect(say(choosing, { ...start, revision: 1, opener: 1 })).toEqual(["Luna moves first."]);
  });

  it("is a new round and a new match", () => {
    const over = { ...start, phase: "round_over" as const, ended: { blocked: 1, winner: 0 } as const };
    expect(say(over, { ...start, revision: 1, round: 2, stars: [1, 0] })).toEqual(["Round 2 begins. Sol moves first."]);
    expect(say(over, { ...start, revision: 1 })).toEqual(["A new match begins. Sol moves first."]);
  });

  it("is nothing when only an answer came", () => {
    expect(say(start, { ...start, serial: 2, answer: { id: "x", error: null } })).toEqual([]);
  });

  it("is a notice, once", () => {
    const notice = { code: "callback_failed", params: { error: "ValueError" }, text: "" };
    const told = { ...start, serial: 2, notice };
    expect(say(start, told)).toEqual(["A function that watches the table failed: ValueError. The match goes on."]);
    expect(say(told, { ...told, serial: 3, notice: { ...notice } })).toEqual([]);
  });

  it("is at least that the table has changed", () => {
    const other = { ...table({ stacks: ["SM", "T"] }), revision: 5 };
    expect(say(start, other)).toEqual(["The table has changed: 2 stacks."]);
  });
});

describe("an ending", () => {
  const ended = { blocked: 1, winner: 0 } as const;
  const left = table({ stacks: ["SM", "T"] }, { phase: "round_over", turn: 1, ended });

  it("is empty while the round goes on", () => {
    expect(ending(en, start)).toBe("");
  });

  it("says why the blocked player is blocked", () => {
    expect(ending(en, left)).toBe("Luna cannot move: all tops and all heights differ. Sol takes a star.");
  });

  it("gives the star to the blocked player under misère", () => {
    const misere = { ...left, misere: true, ended: { blocked: 1, winner: 1 } as const };
    expect(ending(en, misere)).toBe("All tops and all heights differ: Luna cannot move and so takes the star.");
  });

  it("names the winner of the match and both counts", () => {
    const won = { ...left, phase: "match_over" as const, winner: 1 as const, stars: [2, 4] as const };
    expect(ending(en, won)).toMatch(/^Luna wins the match, 4 stars to 2\./);
  });
});
