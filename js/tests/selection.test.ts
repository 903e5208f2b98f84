// @vitest-environment node
import { describe, expect, it } from "vitest";
import { TWELVE, table } from "../dev/kernel";
import { isLegal, keep, press, targets } from "../src/selection";

const state = table(TWELVE);

describe("pressing a stack", () => {
  it("takes it when nothing is taken", () => {
    expect(press(state, null, 3)).toEqual({ kind: "take", id: 3 });
  });

  it("lets go of the same stack", () => {
    expect(press(state, 3, 3)).toEqual({ kind: "let_go" });
  });

  it("asks for a legal move, and says that it may be shown at once", () => {
    expect(press(state, 3, 4)).toEqual({ kind: "send", body: { kind: "move", mover: 3, target: 4 }, legal: true });
  });

  it("asks for an illegal move too, for the rules are Python's", () => {
    const uneven = table({ stacks: ["S", "MT"] });
    expect(press(uneven, 0, 1)).toEqual({ kind: "send", body: { kind: "move", mover: 0, target: 1 }, legal: false });
  });

  it("takes anew when what was taken is gone", () => {
    expect(press(state, 99, 3)).toEqual({ kind: "take", id: 3 });
  });

  it.each([
    ["another phase", table(TWELVE, { phase: "choosing" }), 3],
    ["the computer's turn", table(TWELVE, { can: { ...state.can, move: false } }), 3],
    ["a stack that is not there", state, 99],
  ])("does nothing for %s", (_, other, id) => {
    expect(press(other, null, id)).toEqual({ kind: "nothing" });
    expect(press(other, 1, id)).toEqual({ kind: "nothing" });
  });
});

describe("what is taken when another state comes", () => {
  it("stays taken when the table is the same, so that a refused move can be tried elsewhere", () => {
    expect(keep(3, state, { ...state, serial: 2 }, false)).toBe(3);
  });

  it("stays taken when somebody else's move left it and we may still move", () => {
    expect(keep(3, state, { ...state, revision: 1 }, false)).toBe(3);
  });

  it.each([
    ["our own request was answered", { ...state, revision: 1 }, true],
    ["it is gone", { ...state, revision: 1, stacks: state.stacks.filter((s) => s.id !== 3) }, false],
    ["we may not move now", { ...state, revision: 1, can: { ...state.can, move: false } }, false],
    ["the round is over", { ...state, revision: 1, phase: "round_over" as const }, false],
  ])("is let go when %s", (_, after, ours) => {
    expect(keep(3, state, after, ours)).toBeNull();
  });

  it("is nothing when nothing was taken", () => {
    expect(keep(null, state, { ...state, serial: 2 }, false)).toBeNull();
  });
});

it("reads targets off the state's moves alone", () => {
  const told = { ...state, moves: [[1, 2]] as const };
  expect([...targets(told, 1)]).toEqual([2]);
  expect([...targets(told, 2)]).toEqual([]);
  expect(isLegal(told, 1, 2)).toBe(true);
  expect(isLegal(told, 2, 1)).toBe(false);
});
