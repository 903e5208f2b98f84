/** Looking back through the match, from the state alone. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeKernel, nextRound, play, table } from "../dev/kernel";
import type { State } from "../src/contract";
import { frameCount, frames } from "../src/replay";
import { sameStacks } from "../src/scene";
import { expected, key, land, type Opened, open } from "./opened";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

const FEW = { stacks: ["S", "M", "S", "C"] };

/** Every table of a match, as a kernel published them: two rounds, the second unfinished. */
function published(): State[] {
  const states = [table(FEW)];
  const add = (state: State | null) => {
    if (state === null) throw new Error("this was to be legal");
    states.push(state);
  };
  const last = () => states.at(-1) as State;
  while (last().phase === "playing") {
    const [mover, target] = last().moves[0] as [number, number];
    add(play(last(), mover, target));
  }
  const kernel = new FakeKernel(last());
  kernel.sending = "answer";
  const ask = (body: object) => {
    kernel.set("request", { id: "x", revision: (kernel.state as State).revision, ...body } as never);
    kernel.save_changes();
    add(kernel.state);
  };
  ask({ kind: "next_round" });
  ask({ kind: "choose", order: "second" });
  ask({ kind: "move", mover: 0, target: 1 });
  return states;
}

describe("the frames of a match", () => {
  const states = published();
  const state = states.at(-1) as State;
  const made = frames(state.history);

  it("are the tables that were published, in order", () => {
    expect(frameCount(state.history)).toBe(made.length);
    // Choosing who opens changes no table.
    const tables = states.filter((one, i) => i === 0 || !sameStacks(one.stacks, (states[i - 1] as State).stacks));
    expect(made.map((frame) => frame.stacks)).toEqual(tables.map((one) => one.stacks));
    expect(sameStacks(made.at(-1)?.stacks ?? [], state.stacks)).toBe(true);
  });

  it("know the move that led to each, who made it, and who was to move", () => {
    const moved = states.filter((one) => one.last !== null);
    expect(made.filter((frame) => frame.last !== null).map((frame) => frame.last)).toEqual(
      moved.map((one) => one.last),
    );
    for (const frame of made) {
      const one = states.find((other) => sameStacks(other.stacks, frame.stacks) && other.round === frame.round);
      if (one?.phase === "playing") expect(frame.turn).toBe(one.turn);
    }
  });

  it("count rounds and moves, and know stars and endings", () => {
    const first = made.filter((frame) => frame.round === 1);
    expect(first.map((frame) => frame.move)).toEqual(first.map((_, i) => i));
    expect(first.every((frame) => frame.of === first.length - 1)).toBe(true);
    expect(first.map((frame) => frame.ended !== null)).toEqual(first.map((_, i) => i === first.length - 1));
    expect(made.at(-1)).toMatchObject({ round: 2, move: 1, of: 1, stars: state.stars });
  });

  it("are none for a state saved before there was a history, and survive odd moves", () => {
    expect(frames([])).toEqual([]);
    const odd = frames([{ ...(state.history[0] as State["history"][0]), moves: [[9, 9]] }]);
    expect(odd[1]?.stacks).toEqual(odd[0]?.stacks);
    expect(odd[1]?.last).toBe(null);
  });
});

describe("what Python publishes", () => {
  const folder = join(import.meta.dirname, "../../tests/fixtures/wire/states");

  it.each(readdirSync(folder))("leads to the table that is published with it: %s", (name) => {
    const state = JSON.parse(readFileSync(join(folder, name), "utf8")) as State;
    const last = frames(state.history).at(-1);
    expect(last).toMatchObject({ round: state.round, last: state.last, ended: state.ended });
    expect(sameStacks(last?.stacks ?? [], state.stacks)).toBe(true);
    if (state.opener !== null) expect(last?.turn).toBe(state.turn);
  });
});

const late = () => published().at(-1) as State;
const shown = ({ el }: Opened) =>
  [...el.querySelectorAll("button")]
    .filter((button) => !button.hidden)
    .map((b) => b.getAttribute("aria-label") ?? b.textContent);

describe("the replay", () => {
  it("steps through every table by buttons, and asks Python for nothing", () => {
    const state = late();
    const opened = open(state);
    const all = frames(state.history);
    opened.button("Replay").click();
    expect(shown(opened)).toEqual([
      "First move",
      "One move back",
      "One move forward",
      "Last move",
      "Back to the table",
      "Replay",
      "Help",
    ]);
    expect(opened.button("Replay").getAttribute("aria-pressed")).toBe("true");
    expect(opened.seen()).toEqual(expected(state));
    for (const frame of [...all].reverse().slice(1)) {
      opened.button("One move back").click();
      land();
      expect(opened.root.dataset.replay).toBe(`${frame.round}.${frame.move}`);
      expect(opened.status()).toBe(`You are looking at round ${frame.round}, move ${frame.move} of ${frame.of}.`);
      expect(opened.seen()).toEqual(expected({ ...state, stacks: frame.stacks }));
      expect(opened.el.querySelectorAll(".soluna-full")).toHaveLength(frame.stars[0] + frame.stars[1]);
    }
    opened.button("One move back").click();
    expect(opened.root.dataset.replay).toBe("1.0");
    expect(opened.button("One move back").getAttribute("aria-disabled")).toBe("true");
    opened.button("Last move").click();
    expect(opened.seen()).toEqual(expected(state));
    opened.button("First move").click();
    expect(opened.seen()).toEqual(expected({ ...state, stacks: all[0]?.stacks ?? [] }));
    opened.button("One move forward").click();
    expect(opened.root.dataset.replay).toBe("1.1");
    opened.button("Back to the table").click();
    land();
    expect(opened.root.dataset.replay).toBeUndefined();
    expect(opened.seen()).toEqual(expected(state));
    expect(opened.asked()).toEqual([]);
  });

  it("goes by keys, glides one step, and Escape leads back with the focus where it was", () => {
    const opened = open(late());
    const handle = opened.stack(1);
    handle.focus();
    key(handle, ".");
    expect(opened.root.dataset.replay).toBeUndefined();
    key(handle, ",");
    expect(opened.root.dataset.replay).toBe("2.0");
    expect(opened.flights()).toBe(1);
    key(handle, ",");
    key(handle, ".");
    expect(opened.root.dataset.replay).toBe("2.0");
    expect(document.activeElement).toBe(handle);
    key(handle, "Escape");
    expect(opened.root.dataset.replay).toBeUndefined();
    expect(document.activeElement).toBe(handle);
  });

  it("leaves the data of the present, whose stacks cannot be moved meanwhile", () => {
    const state = late();
    const opened = open(state);
    const data = () =>
      [...opened.el.querySelectorAll<SVGElement>("[data-stack]")].map(({ dataset }) => ({ ...dataset }));
    const before = data();
    key(opened.stack(1), ",");
    expect(data()).toEqual(before);
    expect(opened.root.dataset).toMatchObject({ phase: state.phase, turn: String(state.turn) });
    expect(opened.stack(1).getAttribute("aria-disabled")).toBe("true");
    // After each: a second press would let go again.
    for (const act of [() => opened.click(1), () => key(opened.stack(1), "Enter"), () => key(opened.stack(1), "u")]) {
      act();
      expect(opened.marked("taken")).toEqual([]);
    }
    expect(opened.asked()).toEqual([]);
  });

  it("says where one is, the move that was made, and how a round ended", () => {
    const opened = open(late());
    opened.button("Replay").click();
    opened.button("First move").click();
    for (let i = 0; i < 3; i++) opened.button("One move forward").click();
    expect(opened.said()).toEqual([
      "You are looking at round 2, move 1 of 1. Luna puts sun, height 1 on moon, height 1: now sun, height 2.",
      "You are looking at round 1, move 0 of 2.",
      "You are looking at round 1, move 1 of 2. Sol puts sun, height 1 on moon, height 1: now sun, height 2.",
      "You are looking at round 1, move 2 of 2. Luna puts sun, height 2 on sun, height 1: now sun, height 3. " +
        "Sol cannot move: all tops and all heights differ. Luna takes a star.",
      "You are looking at round 2, move 0 of 1.",
    ]);
    opened.button("Back to the table").click();
    expect(opened.said().at(-1)).toMatch(/^Back to the table\. /);
  });

  it("ends, and says so, when the table changes; but not for an answer alone", () => {
    const opened = open(late());
    key(opened.stack(1), ",");
    opened.kernel.publish({});
    expect(opened.root.dataset.replay).toBe("2.0");
    const state = opened.kernel.state as State;
    const [mover, target] = state.moves[0] as [number, number];
    opened.kernel.publish(play(state, mover, target) as State);
    land();
    expect(opened.root.dataset.replay).toBeUndefined();
    expect(opened.seen()).toEqual(expected(opened.kernel.state));
    expect(opened.said().slice(1)[0]).toBe("The table has changed: you are back at it.");
    expect(opened.said().slice(1)[1]).toMatch(/ puts /);
  });

  it("works without a kernel", () => {
    const kernel = new FakeKernel(late());
    kernel.sending = "throw";
    const opened = open(null, kernel);
    opened.button("Replay").click();
    opened.button("One move back").click();
    expect(opened.root.dataset.replay).toBe("2.0");
    expect(opened.status()).toContain("You are looking at");
  });

  it("is not offered where there is nothing to look at, as in states saved before there was a history", () => {
    const { history: _, language: __, ...old } = table(FEW);
    for (const state of [table(FEW), old as State]) {
      const opened = open(state);
      expect(opened.button("Replay").disabled).toBe(true);
      key(opened.stack(1), ",");
      expect(opened.root.dataset.replay).toBeUndefined();
      opened.close();
    }
    expect(nextRound(table(FEW)).history).toHaveLength(2);
  });

  it("lets go of what is taken", () => {
    const opened = open(late());
    opened.click(1);
    key(opened.stack(1), ",");
    expect(opened.marked("taken")).toEqual([]);
    expect(opened.stack(1).getAttribute("aria-pressed")).toBe("false");
  });
});
