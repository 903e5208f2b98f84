import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeKernel, play as rule, TWELVE, table } from "../dev/kernel";
import { scenes } from "../dev/scenes";
import type { State } from "../src/contract";
import { HELLO_WITHIN } from "../src/courier";
import { expected, greeted, key, land, open, place } from "./opened";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const uneven = () => table({ stacks: ["S", "MT", "CT"] });

describe("the page", () => {
  it.each(Object.entries(scenes))("describes the state exactly: %s", (_, state) => {
    const { root, el, seen } = open(state);
    expect(root.dataset).toMatchObject({
      phase: state.phase,
      turn: String(state.turn),
      revision: String(state.revision),
      serial: String(state.serial),
      busy: "false",
    });
    const stacks = [...el.querySelectorAll<SVGElement>("[data-stack]")].map(({ dataset }) => ({ ...dataset }));
    const byId = (a: { stack?: string }, b: { stack?: string }) => Number(a.stack) - Number(b.stack);
    expect(stacks.sort(byId)).toEqual(
      state.stacks
        .map((s) => ({ stack: String(s.id), top: s.discs.at(-1), height: String(s.discs.length) }))
        .sort(byId),
    );
    expect(seen()).toEqual(expected(state));
  });

  it("says whether a kernel has answered", () => {
    const { root, kernel } = open(uneven());
    expect(root.dataset.kernel).toBe("asked");
    kernel.publish({});
    expect(root.dataset.kernel).toBe("alive");
  });

  it("is the same when drawn twice", () => {
    for (const state of Object.values(scenes)) {
      const { kernel, root, close } = open(state);
      const first = root.outerHTML;
      kernel.put({ ...state });
      expect(root.outerHTML).toBe(first);
      close();
    }
  });

  it("gives each stack a role, a spoken label and a place in the tab order", () => {
    const { stack } = open(table({ stacks: ["S", "MT", "AB"] }));
    expect(stack(0).getAttribute("role")).toBe("button");
    expect([0, 1, 2].map((id) => stack(id).getAttribute("tabindex"))).toEqual(["0", "-1", "-1"]);
    expect([0, 1, 2].map((id) => stack(id).getAttribute("aria-label"))).toEqual([
      "sun, height 1, no legal target",
      "stars, height 2, 1 legal target",
      "B, height 2, 1 legal target",
    ]);
  });

  it("shows names as text, whatever is in them", () => {
    const players = ['<img src=x onerror="window.hit=1">', "<b>Luna</b>&amp;"] as const;
    const { el, kernel, click, said } = open(table(TWELVE, { players }));
    kernel.sending = "answer";
    click(0);
    click(1);
    expect(el.querySelectorAll("img, b, script")).toHaveLength(0);
    expect([...el.querySelectorAll(".soluna-name")].map((name) => name.textContent)).toEqual([...players]);
    expect(said().at(-1)).toContain(players[0]);
  });

  it("draws a letter that has no symbol, however strange", () => {
    const { el } = open(table({ stacks: ["B", "<"] }));
    expect([...el.querySelectorAll(".soluna-cut .soluna-letter")].map((text) => text.textContent).sort()).toEqual([
      "<",
      "B",
    ]);
  });

  it("waits calmly for a state that is not there yet", () => {
    for (const nothing of [null, undefined, {}] as (State | null)[]) {
      const { root, kernel, el, status, close } = open(null, new FakeKernel(nothing));
      expect(root.dataset.serial).toBeUndefined();
      expect(status()).not.toBe("");
      for (const button of el.querySelectorAll("button")) {
        expect(button.hidden || button.disabled).toBe(button.name !== "help");
      }
      kernel.put(table(TWELVE));
      expect(root.dataset.serial).toBe("1");
      close();
    }
  });

  it("counts the stars won", () => {
    const { el } = open(table(TWELVE, { stars: [2, 1] }));
    const full = [...el.querySelectorAll(".soluna-stars")].map((s) => s.querySelectorAll(".soluna-full").length);
    expect(full).toEqual([2, 1]);
    expect(el.querySelectorAll(".soluna-star")).toHaveLength(8);
    expect(el.querySelector(".soluna-stars")?.getAttribute("aria-label")).toBe("Sol has 2 of 4 stars");
  });

  it("marks the last move with a trail, and no move without one", () => {
    const { el, kernel } = open(scenes.middle);
    expect(el.querySelector(".soluna-trail")?.getAttribute("d")).toMatch(/^M/);
    kernel.publish({ last: null });
    expect(el.querySelector(".soluna-trail")?.hasAttribute("d")).toBe(false);
  });

  it("lights up what differs when a round is over", () => {
    const { marked } = open(scenes.round_over);
    expect(marked("differs")).toHaveLength(4);
  });

  it("shows a notice without stopping play", () => {
    const { el, click, root } = open(scenes.notice);
    expect(el.querySelector(".soluna-warning")?.textContent).toContain("ZeroDivisionError");
    click(0);
    click(1);
    expect(root.dataset.busy).toBe("true");
  });
});

describe("buttons", () => {
  const shown = (el: Element) =>
    [...el.querySelectorAll("button")]
      .filter((button) => !button.hidden)
      .map((button) => button.getAttribute("aria-label") ?? button.textContent);
  const always = ["Undo", "Redo", "New match", "Replay", "Hints", "Open a record", "Save the record", "Help"];

  it.each([
    ["start", []],
    ["choosing", ["Play first", "Play second"]],
    ["placing", ["Place a disc"]],
    ["round_over", ["Review", "Next round"]],
    ["match_over", ["Review"]],
  ] as const)("are those that make sense: %s", (name, more) => {
    expect(shown(open(scenes[name]).el)).toEqual([...always, ...more]);
  });

  it("are disabled when the state says so", () => {
    const can = { ...table(TWELVE).can, choose: false, new_match: false };
    const { button } = open(table(TWELVE, { phase: "choosing", can }));
    for (const name of ["Undo", "Redo", "New match", "Play first", "Play second"]) {
      expect(button(name).disabled).toBe(true);
    }
  });

  it.each([
    ["Undo", { kind: "undo" }],
    ["Redo", { kind: "redo" }],
    ["New match", { kind: "new_match" }],
    ["Play first", { kind: "choose", order: "first" }],
    ["Play second", { kind: "choose", order: "second" }],
    ["Place a disc", { kind: "place" }],
    ["Next round", { kind: "next_round" }],
    ["Hints", { kind: "hints", on: true }],
    ["Review", { kind: "review" }],
    ["Save the record", { kind: "record" }],
  ] as const)("send what they say: %s", (name, body) => {
    const can = { ...table(TWELVE).can, choose: true, place: true, next_round: true, undo: true, redo: true };
    const { button, asked, root } = open(table(TWELVE, { revision: 9, can: { ...can, review: true } }));
    button(name).click();
    expect(asked()).toEqual([{ ...body, revision: 9, id: expect.any(String) }]);
    expect(root.dataset.busy).toBe("true");
  });

  it("pass the focus on when they disappear", () => {
    const { button, kernel, root } = open(scenes.round_over);
    button("Next round").focus();
    button("Next round").click();
    kernel.publish({ phase: "choosing", revision: 1, can: { ...(kernel.state as State).can, choose: true } });
    expect(document.activeElement).toBe(button("Play first"));
    kernel.publish({ ...table(TWELVE), revision: 2 });
    expect(root.contains(document.activeElement)).toBe(true);
  });
});

describe("taking a stack", () => {
  it("marks it, and its legal targets, at once", () => {
    const { kernel, click, marked, stack, asked, status } = open(uneven());
    click(1);
    expect(marked("taken")).toEqual([place(kernel.state, 1)]);
    expect(marked("target")).toEqual([place(kernel.state, 2)]);
    expect(marked("dim")).toEqual([place(kernel.state, 0)]);
    expect(stack(1).getAttribute("aria-pressed")).toBe("true");
    expect(status()).toContain("stars, height 2");
    expect(asked()).toEqual([]);
  });

  it.each([
    ["the same stack", (t: ReturnType<typeof open>) => t.click(1)],
    ["Escape", (t: ReturnType<typeof open>) => key(t.stack(1), "Escape")],
    [
      "a click on the table",
      (t: ReturnType<typeof open>) =>
        t.el.querySelector(".soluna-table")?.dispatchEvent(new MouseEvent("click", { bubbles: true })),
    ],
  ])("is undone by %s", (_, letGo) => {
    const opened = open(uneven());
    // All but what was said about it.
    const looks = () => opened.root.outerHTML.replace(/<div class="soluna-live".*?<\/div>/, "");
    const before = looks();
    opened.click(1);
    expect(opened.marked("taken")).toHaveLength(1);
    letGo(opened);
    expect(opened.marked("taken")).toEqual([]);
    expect(looks()).toBe(before);
    expect(opened.said().at(-1)).toBe("stars, height 2 let go.");
    expect(opened.asked()).toEqual([]);
  });

  it("does nothing while the computer thinks, and the status says so", () => {
    const { click, marked, status } = open(scenes.thinking);
    click(2);
    expect(marked("taken")).toEqual([]);
    expect(status()).toBe("Random player is thinking…");
  });

  it("works with Enter and Space, whose keys the notebook does not see", () => {
    const { stack, marked, el } = open(uneven());
    const outside = vi.fn();
    el.addEventListener("keydown", outside);
    expect(key(stack(1), "Enter").defaultPrevented).toBe(true);
    expect(marked("taken")).toHaveLength(1);
    key(stack(1), " ");
    expect(marked("taken")).toEqual([]);
    key(stack(1), "Escape");
    expect(outside).not.toHaveBeenCalled();
    expect(key(stack(1), "Tab").defaultPrevented).toBe(false);
    expect(outside).toHaveBeenCalledTimes(1);
  });

  it("keeps the notebook's shortcuts out", () => {
    expect(open().root.dataset.lmSuppressShortcuts).toBe("true");
  });
});

describe("a legal move", () => {
  it("glides before Python has answered, while the data still describe the state", () => {
    const { kernel, click, flights, root, stack, seen, asked } = greeted();
    const predicted = expected({
      ...(kernel.state as State),
      stacks: (kernel.state as State).stacks
        .filter((s) => s.id !== 0)
        .map((s) => (s.id === 1 ? { ...s, discs: ["M", "S"] } : s)),
    });
    click(0);
    click(1);
    expect(flights()).toBe(1);
    expect(root.dataset).toMatchObject({ busy: "true", revision: "0" });
    expect(stack(0).dataset.height).toBe("1");
    land();
    expect(flights()).toBe(0);
    expect(seen()).toEqual(predicted);
    expect(stack(1).dataset.height).toBe("1");
    expect(asked()).toEqual([{ kind: "move", mover: 0, target: 1, revision: 0, id: expect.any(String) }]);
  });

  it("does not glide a second time when it is confirmed", () => {
    const { kernel, click, flights, root, stack, seen } = greeted();
    click(0);
    click(1);
    land();
    kernel.answer();
    expect(flights()).toBe(0);
    expect(seen()).toEqual(expected(kernel.state));
    expect(stack(1).dataset).toMatchObject({ top: "S", height: "2" });
    expect(root.dataset).toMatchObject({ busy: "false", revision: "1" });
  });

  it("goes on gliding when it is confirmed on the way, and the data are right at once", () => {
    const { kernel, click, flights, stack, seen, el } = greeted();
    click(0);
    click(1);
    vi.advanceTimersByTime(50);
    kernel.answer();
    expect(stack(1).dataset.height).toBe("2");
    expect(el.querySelector('[data-stack="0"]')).toBeNull();
    expect(flights()).toBe(1);
    for (const flight of el.querySelectorAll(".soluna-flight, .soluna-flight *")) {
      expect(Object.keys((flight as SVGElement).dataset)).toEqual([]);
    }
    land();
    expect(flights()).toBe(0);
    expect(seen()).toEqual(expected(kernel.state));
  });

  it("lands at once for those who want less motion", () => {
    vi.stubGlobal("matchMedia", (query: string) => ({
      matches: query.includes("reduce"),
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    const { kernel, click, flights, seen } = open();
    click(0);
    click(1);
    expect(flights()).toBe(0);
    kernel.answer();
    expect(seen()).toEqual(expected(kernel.state));
    expect(vi.getTimerCount()).toBeGreaterThan(0);
  });

  it("goes back when Python refuses it, with the reason", () => {
    const { kernel, click, seen, status, root, said } = greeted();
    const before = seen();
    click(0);
    click(1);
    land();
    expect(seen()).not.toEqual(before);
    const error = { code: "no_such_stack", params: {}, text: "" };
    kernel.publish({ answer: { id: kernel.requests.at(-1)?.id ?? "", error } });
    land();
    expect(seen()).toEqual(before);
    expect(status()).toBe("That stack is no longer there.");
    expect(said().at(-1)).toBe(status());
    expect(root.dataset.busy).toBe("false");
  });

  it("is sent once, however often one clicks", () => {
    const { click, asked, marked, button } = open(table(TWELVE, { can: { ...table(TWELVE).can, undo: true } }));
    click(0);
    click(1);
    click(1);
    click(2);
    button("Undo").click();
    expect(asked()).toHaveLength(1);
    expect(marked("taken")).toHaveLength(1);
  });

  it("is let go of when our move is confirmed", () => {
    const { kernel, click, marked } = open();
    click(0);
    click(1);
    click(2);
    kernel.answer();
    expect(marked("taken")).toEqual([]);
  });
});

describe("an illegal target", () => {
  it("is asked for, refused with the reason, and the stack stays taken", () => {
    const { kernel, click, status, marked, asked, flights } = open(uneven());
    click(0);
    click(1);
    expect(asked()).toHaveLength(1);
    expect(flights()).toBe(0);
    kernel.answer();
    expect(status()).toBe("Sun, height 1 cannot go on stars, height 2: neither tops nor heights agree.");
    expect(marked("taken")).toEqual([place(kernel.state, 0)]);
    click(0);
    expect(status()).not.toContain("cannot go");
  });

  it("makes the stack shake its head, unless one wants less motion", () => {
    const animate = vi.fn();
    vi.stubGlobal("matchMedia", undefined);
    SVGElement.prototype.animate = animate;
    const { kernel, click } = open(uneven());
    click(0);
    click(1);
    kernel.answer();
    expect(animate).toHaveBeenCalledTimes(1);
    Reflect.deleteProperty(SVGElement.prototype, "animate");
  });
});

describe("a kernel that does not answer", () => {
  it("is said to be busy, then gone; the move goes back and one can try again", () => {
    const { click, status, root, seen, asked } = greeted();
    const before = seen();
    click(0);
    click(1);
    vi.advanceTimersByTime(1500);
    expect(status()).toContain("busy");
    expect(root.dataset.busy).toBe("true");
    vi.advanceTimersByTime(6500);
    expect(status()).toContain("Nobody answers");
    expect(root.dataset.busy).toBe("false");
    land();
    expect(seen()).toEqual(before);
    click(0);
    click(1);
    expect(asked()).toHaveLength(2);
  });

  it("may be none at all: no move is shown before anybody has answered, nor is one waited for", () => {
    const { click, status, root, seen, asked, said, el } = open();
    const before = seen();
    click(0);
    click(1);
    expect(seen()).toEqual(before);
    vi.advanceTimersByTime(HELLO_WITHIN);
    expect(root.dataset).toMatchObject({ busy: "false", kernel: "none" });
    expect(status()).toContain("Nobody answers");
    // It is still taken, so one click is enough to try again.
    click(1);
    expect(root.dataset).toMatchObject({ busy: "false", kernel: "none" });
    expect(el.querySelectorAll(".soluna-flight")).toHaveLength(0);
    expect(seen()).toEqual(before);
    expect(status()).toContain("No kernel answers");
    expect(said().at(-1)).toBe(status());
    // They were sent all the same: a kernel that was only busy hears the first, and refuses the other as stale.
    expect(asked()).toHaveLength(2);
  });

  it("may answer late, and all clears", () => {
    for (const delay of [2000, 20_000]) {
      const { kernel, click, status, root, seen, close } = open();
      click(0);
      click(1);
      vi.advanceTimersByTime(delay);
      kernel.answer();
      land();
      expect(status()).toBe("Luna is to move: take a stack.");
      expect(root.dataset).toMatchObject({ busy: "false", revision: "1" });
      expect(seen()).toEqual(expected(kernel.state));
      close();
    }
  });

  it("is noticed at once when sending throws", () => {
    const { kernel, click, status, root, seen } = open();
    kernel.publish({});
    kernel.sending = "throw";
    click(0);
    click(1);
    expect(status()).toContain("No kernel answers");
    expect(root.dataset.busy).toBe("false");
    expect(seen()).toEqual(expected(kernel.state));
  });

  it("leaves a calm note under the table as it was saved, until any news", () => {
    const { kernel, el, root } = open();
    const note = () => el.querySelector<HTMLElement>(".soluna-note:not(.soluna-warning)");
    expect(root.dataset.busy).toBe("false");
    expect(note()?.hidden).toBe(true);
    vi.advanceTimersByTime(5000);
    expect(note()?.textContent).toContain("the table as it was saved");
    kernel.publish({});
    expect(note()?.hidden).toBe(true);
  });

  it("does not get the request that was saved with the table", () => {
    const { kernel } = open();
    expect(kernel.requests.map((request) => request.kind)).toEqual(["hello"]);
  });
});

describe("other news", () => {
  it("glides the computer's answer after one's own move has landed, and the data are right before", () => {
    const { kernel, click, el, stack, seen } = greeted();
    click(0);
    click(1);
    vi.advanceTimersByTime(60);
    kernel.answer();
    kernel.publish({ ...(play(kernel, 4, 2) as State), serial: 3 });
    expect(stack(2).dataset.height).toBe("2");
    // The first has not landed, so the second still lies where it was.
    expect(seen()).toContain(`${place(kernel.state, 1)} 1`);
    expect(seen()).toContain(`${place(table(TWELVE), 4)} 1`);
    expect(el.querySelectorAll(".soluna-flight")).toHaveLength(1);
    expect(seen()).toContain(`${place(kernel.state, 2)} 1`);
    vi.advanceTimersByTime(240);
    expect(seen()).toContain(`${place(kernel.state, 1)} 2`);
    expect(el.querySelectorAll(".soluna-flight")).toHaveLength(1);
    land();
    expect(seen()).toEqual(expected(kernel.state));
  });

  it("twenty undos and new tables in mid-glide leave what the state says", () => {
    const { kernel, click, seen, el } = open();
    kernel.sending = "answer";
    for (let i = 0; i < 20; i++) {
      click(0);
      click(1);
      vi.advanceTimersByTime(i * 12);
      if (i % 3 === 2) kernel.publish({ ...table(TWELVE), revision: (kernel.state?.revision ?? 0) + 1 });
      else el.querySelector<HTMLButtonElement>("button[name=undo]")?.click();
      expect(el.querySelectorAll("[data-stack]")).toHaveLength(12);
      vi.advanceTimersByTime(i * 7);
    }
    land();
    expect(seen()).toEqual(expected(kernel.state));
  });

  it("glides back on undo", () => {
    const { kernel, click, button, flights, seen } = open();
    kernel.sending = "answer";
    click(0);
    click(1);
    land();
    button("Undo").click();
    expect(flights()).toBe(1);
    land();
    expect(seen()).toEqual(expected(kernel.state));
    expect(kernel.state?.stacks).toHaveLength(12);
  });

  it("draws another view's move, whose answer is not ours", () => {
    const kernel = new FakeKernel(table(TWELVE));
    const [one, two] = [open(null, kernel), open(null, kernel)];
    one.click(0);
    one.click(1);
    expect([one.root.dataset.busy, two.root.dataset.busy]).toEqual(["true", "false"]);
    two.click(5);
    kernel.answer();
    land();
    for (const view of [one, two]) {
      expect(view.seen()).toEqual(expected(kernel.state));
      expect(view.root.dataset).toMatchObject({ revision: "1", busy: "false" });
    }
    expect(two.marked("taken")).toEqual([place(kernel.state, 5)]);
  });

  it("lets go of a stack that has merged", () => {
    const { kernel, click, marked } = open();
    click(0);
    kernel.publish(play(kernel, 0, 1) as State);
    expect(marked("taken")).toEqual([]);
  });

  it("is said in the live region, in order", () => {
    const { kernel, click, said } = open(table({ stacks: ["S", "M"] }));
    kernel.sending = "answer";
    click(0);
    click(1);
    expect(said()).toEqual([
      "sun, height 1 taken. 1 legal target.",
      "Sol puts sun, height 1 on moon, height 1: now sun, height 2.",
      "Luna cannot move: one single stack is left. Sol takes a star.",
    ]);
  });
});

describe("the focus", () => {
  it("stays on its stack when the table is drawn anew", () => {
    const { kernel, stack } = open();
    stack(5).focus();
    kernel.publish(play(kernel, 0, 1) as State);
    expect(document.activeElement).toBe(stack(5));
  });

  it("goes where its stack has merged", () => {
    const { kernel, stack } = open();
    stack(0).focus();
    kernel.publish(play(kernel, 0, 1) as State);
    expect(document.activeElement).toBe(stack(1));
  });

  it("stays outside when it was outside", () => {
    const { kernel } = open();
    kernel.publish(play(kernel, 0, 1) as State);
    expect(document.activeElement).toBe(document.body);
  });
});

describe("closing", () => {
  it("leaves no element, listener, timer or animation behind", () => {
    const { kernel, click, close, el } = open();
    click(0);
    click(1);
    vi.advanceTimersByTime(30);
    close();
    expect(el.childElementCount).toBe(0);
    expect([...kernel.listeners.values()].map((all) => all.size)).toEqual([0]);
    expect(vi.getTimerCount()).toBe(0);
    kernel.answer();
    expect(el.childElementCount).toBe(0);
  });

  it("leaves other views alone", () => {
    const kernel = new FakeKernel(table(TWELVE));
    const [one, two] = [open(null, kernel), open(null, kernel)];
    one.close();
    kernel.publish({ revision: 1 });
    expect(two.root.dataset.revision).toBe("1");
  });
});

describe("width", () => {
  it("stands the table upright on a narrow page, and moves mean the same", () => {
    let resized = () => {};
    const disconnect = vi.fn();
    vi.stubGlobal(
      "ResizeObserver",
      class {
        constructor(act: () => void) {
          resized = act;
        }
        observe() {}
        disconnect = disconnect;
      },
    );
    const { root, kernel, stack, click, asked, close, el } = open();
    Object.defineProperty(root, "clientWidth", { value: 320 });
    resized();
    const { x, y } = (kernel.state as State).stacks[0] as { x: number; y: number };
    expect(stack(0).getAttribute("transform")).toBe(`translate(${y} ${x})`);
    expect(el.querySelector(".soluna-table")?.getAttribute("viewBox")).toMatch(/ 412 796$/);
    click(0);
    click(1);
    expect(asked()[0]).toMatchObject({ mover: 0, target: 1 });
    close();
    expect(disconnect).toHaveBeenCalledTimes(1);
  });
});

function play(kernel: FakeKernel, mover: number, target: number): State | null {
  return rule(kernel.state as State, mover, target);
}
