/** The table played by keys alone, as somebody does who sees it and has no mouse. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { play, TWELVE, table } from "../dev/kernel";
import { scenes } from "../dev/scenes";
import type { State } from "../src/contract";
import { key, land, type Opened, open } from "./opened";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

/** Presses keys where the focus is. */
const keys = (...names: string[]) => {
  for (const name of names) {
    key(document.activeElement ?? document.body, name, { shiftKey: /^[A-Z]$/.test(name) });
  }
};
const focused = () => document.activeElement?.getAttribute("data-stack");
const tabbable = ({ el }: Opened) =>
  [...el.querySelectorAll('[tabindex="0"]')].map((handle) => handle.getAttribute("data-stack"));

describe("the tab order", () => {
  it("has one stack, then the buttons in order", () => {
    const opened = open(scenes.round_over);
    expect(tabbable(opened)).toHaveLength(1);
    const buttons = [...opened.el.querySelectorAll("button")].filter((button) => !button.hidden && !button.disabled);
    const names = buttons.map((button) => button.getAttribute("aria-label") ?? button.textContent);
    expect(names).toEqual([
      "Undo",
      "New match",
      "Hints",
      "Open a record",
      "Save the record",
      "Help",
      "Review",
      "Next round",
    ]);
    const [first, button] = [opened.el.querySelector('[tabindex="0"]'), buttons[0]];
    expect(first?.compareDocumentPosition(button as Node)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it("remembers the last stack that had the focus, and where it merged", () => {
    const opened = open();
    opened.stack(6).focus();
    expect(tabbable(opened)).toEqual(["6"]);
    opened.stack(6).blur();
    opened.kernel.publish(play(opened.kernel.state as State, 6, 7) as State);
    expect(tabbable(opened)).toEqual(["7"]);
  });
});

describe("keys in the table", () => {
  it("go by arrows, Home and End, among all stacks, also while something is taken", () => {
    const { stack, marked, el } = open();
    const order = [...el.querySelectorAll<SVGElement>("[data-stack]")].map((handle) => handle.dataset.stack);
    stack(5).focus();
    expect(key(stack(5), "Home").defaultPrevented).toBe(true);
    expect(focused()).toBe(order[0]);
    keys("End");
    expect(focused()).toBe(order.at(-1));
    stack(0).focus();
    keys("Enter", "ArrowRight");
    expect(focused()).toBe("1");
    keys("ArrowDown");
    expect(focused()).toBe("5");
    keys("ArrowLeft", "ArrowUp");
    expect(focused()).toBe("0");
    expect(marked("taken")).toHaveLength(1);
  });

  it("step through the legal targets of what is taken with T, and back with Shift", () => {
    const { stack, marked } = open(table({ stacks: ["S", "MT", "CT", "M", "SMT"] }));
    stack(1).focus();
    keys("t");
    expect(focused()).toBe("1");
    keys("Enter");
    expect(marked("target")).toHaveLength(2);
    const forth = [1, 2, 3].map(() => {
      keys("t");
      return focused();
    });
    expect(new Set(forth)).toEqual(new Set(["2", "4"]));
    expect(forth[0]).toBe(forth[2]);
    keys("T");
    expect(focused()).toBe(forth[1]);
  });

  it("undo and redo, once for a held key, and say when there is nothing to", () => {
    const { kernel, stack, asked, status, said, button } = open();
    kernel.sending = "answer";
    stack(0).focus();
    keys("u");
    expect(status()).toBe("There is nothing to undo.");
    expect(said()).toEqual(["There is nothing to undo."]);
    expect(asked()).toEqual([]);
    keys("Enter", "t", "Enter");
    keys("u");
    key(document.activeElement as Element, "u", { repeat: true });
    button("Redo").focus();
    keys("R");
    expect(asked().map((request) => request.kind)).toEqual(["move", "undo", "redo"]);
  });

  it("leave a held Enter alone", () => {
    const { stack, marked } = open();
    key(stack(0), "Enter");
    key(stack(0), "Enter", { repeat: true });
    expect(marked("taken")).toHaveLength(1);
  });

  it.each(["a", "b", "x", "d", "d", "ArrowDown", "Enter", "Escape", "0", "PageDown"])(
    "stay in the table: %s",
    (name) => {
      const { el, stack, button } = open();
      const outside = vi.fn();
      el.addEventListener("keydown", outside);
      key(stack(0), name);
      key(stack(0), name, { shiftKey: true });
      key(button("New match"), name);
      expect(outside).not.toHaveBeenCalled();
    },
  );

  it("leave Tab and what has Ctrl, Meta or Alt to the page", () => {
    const { el, stack, asked } = open(table(TWELVE, { can: { ...table(TWELVE).can, undo: true } }));
    const outside = vi.fn();
    el.addEventListener("keydown", outside);
    key(stack(0), "Tab");
    for (const modifier of ["ctrlKey", "metaKey", "altKey"]) {
      expect(key(stack(0), "u", { [modifier]: true }).defaultPrevented).toBe(false);
    }
    expect(outside).toHaveBeenCalledTimes(4);
    expect(asked()).toEqual([]);
  });

  it("mean nothing outside it", () => {
    const { asked, marked, el } = open(table(TWELVE, { can: { ...table(TWELVE).can, undo: true } }));
    for (const name of ["u", "Enter", "?", ",", "Escape"]) {
      expect(key(document.body, name).defaultPrevented).toBe(false);
    }
    expect(asked()).toEqual([]);
    expect(marked("taken")).toEqual([]);
    expect(el.querySelector<HTMLElement>(".soluna-help")?.hidden).toBe(true);
  });

  it("let a button be pressed", () => {
    const { button } = open();
    for (const name of ["Enter", " "]) expect(key(button("New match"), name).defaultPrevented).toBe(false);
  });
});

describe("the help", () => {
  it("opens by key and by button, names every key, and closes by Escape, with the focus where it was", () => {
    const { el, stack, button, marked } = open();
    const help = el.querySelector<HTMLElement>(".soluna-help");
    stack(3).focus();
    keys("Enter", "?");
    expect(help?.hidden).toBe(false);
    expect(document.activeElement).toBe(help);
    for (const name of ["Home", "Enter", "Esc", "T", "U, R", ", .", "L", "?"])
      expect(help?.textContent).toContain(name);
    expect(button("Help").getAttribute("aria-expanded")).toBe("true");
    keys("Escape");
    expect(help?.hidden).toBe(true);
    expect(focused()).toBe("3");
    expect(marked("taken")).toHaveLength(1);
    button("Help").focus();
    button("Help").click();
    expect(help?.hidden).toBe(false);
    keys("?");
    expect(help?.hidden).toBe(true);
    expect(document.activeElement).toBe(button("Help"));
  });
});

describe("the focus", () => {
  it("stays in its place in the page while others come and go", () => {
    const { kernel, stack } = open();
    stack(9).focus();
    // It is not even moved: an element that is moved loses the focus, and would have to be given it again.
    const given = vi.spyOn(stack(9), "focus");
    kernel.publish(play(kernel.state as State, 0, 1) as State);
    kernel.publish({ stacks: table(TWELVE).stacks, revision: 5 });
    // The same stacks, lying the other way round: they are read in another order.
    kernel.publish({ stacks: table(TWELVE).stacks.map((stack) => ({ ...stack, y: 400 - stack.y })), revision: 6 });
    expect(given).not.toHaveBeenCalled();
    expect(focused()).toBe("9");
  });

  it("is on the target after one's own move, and where that goes when the computer moves it", () => {
    const { kernel, stack } = open();
    kernel.sending = "answer";
    stack(0).focus();
    keys("Enter", "ArrowRight", "Enter");
    expect(focused()).toBe("1");
    kernel.publish(play(kernel.state as State, 1, 4) as State);
    expect(focused()).toBe("4");
    land();
    expect(focused()).toBe("4");
  });
});

/** Plays as a sighted person would: takes a stack that has a target, steps to a target, puts it down. */
function playByKeys(opened: Opened): void {
  const { root, el } = opened;
  for (let press = 0; root.dataset.phase !== "match_over"; press++) {
    if (press > 1000) throw new Error("this match does not end");
    if (root.dataset.phase === "playing") {
      keys("Home");
      // Only by what the stack itself says.
      for (let i = 1; /no legal target$/.test(document.activeElement?.getAttribute("aria-label") ?? ""); i++) {
        if (i > 500) throw new Error("no stack can be found that goes anywhere");
        keys(["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"][((i * 7919) % 101) % 4] as string);
      }
      keys("Enter", "t", " ");
    } else {
      const wanted = [...el.querySelectorAll<HTMLButtonElement>(".soluna-primary")].find((button) => !button.hidden);
      wanted?.focus();
      wanted?.click();
    }
    land();
  }
}

it("plays a whole match to four stars", () => {
  const opened = open(table({ stacks: ["S", "M", "T", "C", "S", "M"] }));
  opened.kernel.sending = "answer";
  opened.stack(0).focus();
  playByKeys(opened);
  expect(Math.max(...(opened.kernel.state as State).stars)).toBe(4);
  expect(opened.said().at(-1)).toMatch(/ wins the match, 4 stars to \d\./);
  expect(opened.asked().every((request) => ["move", "next_round", "choose"].includes(request.kind))).toBe(true);
  expect(opened.root.contains(document.activeElement)).toBe(true);
});
