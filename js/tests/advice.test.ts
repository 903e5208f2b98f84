/** What the solver says, drawn and spoken: hints at legal targets, and a review of a round that is over. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeKernel, TWELVE, table } from "../dev/kernel";
import type { Review, State } from "../src/contract";
import { frames } from "../src/replay";
import { land, type Opened, open } from "./opened";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

const wire = (name: string) =>
  JSON.parse(
    readFileSync(join(import.meta.dirname, "../../tests/fixtures/wire/states", `${name}.json`), "utf8"),
  ) as State;
const drawn = ({ el }: Opened) =>
  [...el.getElementsByClassName("soluna-hint")].map((hint) => ({
    at: hint.getAttribute("transform"),
    wins: hint.classList.contains("soluna-wins"),
    loses: hint.classList.contains("soluna-loses"),
    lines: [...hint.getElementsByTagName("text")].map((text) => text.textContent),
  }));

describe("hints", () => {
  it.each(["hints", "hints_misere"])("stand at each legal target of what is taken, as word and look: %s", (name) => {
    const state = wire(name);
    const opened = open(state);
    expect(drawn(opened)).toEqual([]);
    for (const { id } of state.stacks) {
      opened.click(id);
      const hints = state.hints?.filter(({ mover }) => mover === id) ?? [];
      const wanted = hints.map(({ target, won, moves, grundy }) => {
        const { x, y } = state.stacks.find((stack) => stack.id === target) as State["stacks"][number];
        const lines = [`${won ? "wins" : "loses"} in ${moves}`, ...(grundy === null ? [] : [`value ${grundy}`])];
        expect(opened.stack(target).getAttribute("aria-label")).toContain(`, legal target, ${lines.join(", ")}`);
        return { at: `translate(${x} ${y})`, wins: won, loses: !won, lines };
      });
      const byPlace = (a: { at: string | null }, b: { at: string | null }) => String(a.at).localeCompare(String(b.at));
      expect(drawn(opened).sort(byPlace)).toEqual(wanted.sort(byPlace));
      opened.click(id);
    }
    expect(state.hints?.length).toBeGreaterThan(5);
  });

  it("are off by default, and go on and off by one button that says which", () => {
    const kernel = new FakeKernel(table(TWELVE));
    kernel.sending = "answer";
    const opened = open(kernel.state, kernel);
    const button = opened.button("Hints");
    expect(button.getAttribute("aria-pressed")).toBe("false");
    opened.click(0);
    expect(drawn(opened)).toEqual([]);
    button.click();
    expect(button.getAttribute("aria-pressed")).toBe("true");
    expect(drawn(opened).length).toBeGreaterThan(0);
    expect(opened.said().at(-1)).toBe("Hints are on: each legal target says whether the move wins.");
    button.click();
    expect(drawn(opened)).toEqual([]);
    expect(button.getAttribute("aria-pressed")).toBe("false");
    expect(opened.asked().map((request) => "on" in request && request.on)).toEqual([true, false]);
  });

  it("are not offered where there are too many positions", () => {
    const start = table(TWELVE);
    expect(open({ ...start, can: { ...start.can, hints: false } }).button("Hints").disabled).toBe(true);
  });

  it("go while an earlier table is looked at", () => {
    const opened = open(wire("hints"));
    opened.button("Replay").click();
    opened.click(wire("hints").stacks[0]?.id ?? 0);
    expect(drawn(opened)).toEqual([]);
  });
});

describe("a review", () => {
  const state = wire("review");
  const review = state.review as Review;
  const panel = ({ el }: Opened) => el.querySelector<HTMLElement>(".soluna-review");

  it("says who could win, each mistake with its refutation, and shows each at the table", () => {
    expect(review.mistakes.length).toBeGreaterThan(1);
    const opened = open(state);
    expect(panel(opened)?.hidden).toBe(false);
    const items = [...(panel(opened)?.querySelectorAll("li") ?? [])];
    expect(items).toHaveLength(review.mistakes.length);
    expect(panel(opened)?.querySelector("p")?.textContent).toBe(
      `From the start ${state.players[review.winner]} could win.`,
    );
    const all = frames(state.history);
    review.mistakes.forEach((mistake, i) => {
      expect(items[i]?.textContent).toMatch(
        new RegExp(
          `^${state.players[mistake.by]} put .* on .* and gave the win away: .* on .* refutes it\\. Better was`,
        ),
      );
      items[i]?.querySelector("button")?.click();
      land();
      expect(opened.root.dataset.replay).toBe(`${review.round}.${mistake.move}`);
      const shown = all.find((frame) => frame.round === review.round && frame.move === mistake.move);
      expect(opened.seen()).toHaveLength(shown?.stacks.length ?? -1);
    });
  });

  it("under misère says where the other player was left without a move", () => {
    const misere = wire("review_misere");
    const texts = [...(panel(open(misere))?.querySelectorAll("li") ?? [])].map((item) => item.textContent);
    expect(texts).toHaveLength(misere.review?.mistakes.length ?? -1);
    const none = misere.review?.mistakes.filter(({ reply }) => reply === null).length;
    expect(texts.filter((text) => text?.includes("leaves the other player without a move"))).toHaveLength(none ?? -1);
  });

  it("is asked for by a button when a round is over, is read aloud, and praises where nobody erred", () => {
    const over = { ...wire("round_over") };
    const kernel = new FakeKernel(over);
    kernel.sending = "answer";
    const opened = open(over, kernel);
    expect(panel(opened)?.hidden).toBe(true);
    opened.button("Review").click();
    expect(opened.said().at(-1)).toBe("From the start Sol could win, and nobody gave a win away.");
    expect(panel(opened)?.hidden).toBe(false);
    kernel.publish({ review: null });
    expect(panel(opened)?.hidden).toBe(true);
  });

  it("is not there for states saved before there was one", () => {
    const { review: _, hints: __, ...old } = wire("round_over");
    const opened = open(old as State);
    expect(panel(opened)?.hidden).toBe(true);
    expect(drawn(opened)).toEqual([]);
  });
});
