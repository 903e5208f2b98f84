/** Carrying stacks by mouse, pen and finger, and all that can go wrong with it. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { play, TWELVE, table } from "../dev/kernel";
import type { StackState, State } from "../src/contract";
import { stackAtPoint } from "../src/geometry";
import { at, expected, greeted, key, land, type Opened, open, place } from "./opened";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const stackOf = (state: State | null, id: number): StackState => {
  const found = state?.stacks.find((stack) => stack.id === id);
  if (found === undefined) throw new Error(`no stack ${id}`);
  return found;
};

/** A pointer on this table; it moves in the drawing's own units, for the test's page has no size. */
function pointer({ root, stack, kernel }: Opened, pointerType: "mouse" | "pen" | "touch" = "mouse", pointerId = 1) {
  const view = { x: -6, y: -26 };
  const fire = (target: Element | Window, type: string, to: { x: number; y: number }, more: PointerEventInit = {}) => {
    const init = { bubbles: true, cancelable: true, pointerId, pointerType, isPrimary: true, button: 0, buttons: 1 };
    const client = { clientX: to.x - view.x, clientY: to.y - view.y };
    const event = new PointerEvent(type, { ...init, ...client, ...more });
    target.dispatchEvent(event);
    return event;
  };
  const of = (id: number) => stackOf(kernel.state, id);
  return {
    fire,
    press: (id: number, more?: PointerEventInit) => fire(stack(id), "pointerdown", of(id), more),
    move: (to: { x: number; y: number }, more?: PointerEventInit) => fire(root, "pointermove", to, more),
    over: (id: number) => fire(root, "pointermove", of(id)),
    release: (to: { x: number; y: number }) => {
      fire(root, "pointerup", to, { buttons: 0 });
      // What browsers send after the button is let go: a click on what press and release have in common.
      root.querySelector(".soluna-table")?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
    },
    releaseOver: (id: number) => fire(root, "pointerup", of(id), { buttons: 0 }),
  };
}

const uneven = () => table({ stacks: ["S", "MT", "CT", "M"] });
const bare = { x: 380, y: 395 };

describe.each(["mouse", "pen", "touch"] as const)("a stack carried by %s", (kind) => {
  it("follows the pointer, lights its targets up, and the one under it shows what would be", () => {
    const opened = open(uneven());
    const hand = pointer(opened, kind);
    const home = stackOf(opened.kernel.state, 1);
    hand.press(1);
    hand.move({ x: home.x + 3, y: home.y + 2 });
    expect(opened.marked("taken")).toEqual([]);
    hand.move({ x: home.x + 30, y: home.y + 50 });
    expect(opened.marked("carried")).toEqual([`translate(${home.x + 30} ${home.y + 50})`]);
    expect(opened.marked("taken")).toHaveLength(1);
    expect(opened.marked("target")).toEqual([place(opened.kernel.state, 2)]);
    expect(opened.marked("hovered")).toEqual([]);
    hand.over(2);
    expect(opened.marked("hovered")).toEqual([place(opened.kernel.state, 2)]);
    expect(opened.el.querySelectorAll(".soluna-preview")).toHaveLength(2);
    expect(opened.said()).toEqual(["stars, height 2 taken. 1 legal target."]);
    expect(opened.stack(1).getAttribute("transform")).toBe(at(home));
    expect(opened.asked()).toEqual([]);
  });

  it("is put down on a legal target and goes on from the hand", () => {
    const opened = greeted();
    const hand = pointer(opened, kind);
    hand.press(0);
    hand.over(1);
    const from = stackOf(opened.kernel.state, 1);
    hand.releaseOver(1);
    expect(opened.asked()).toMatchObject([{ kind: "move", mover: 0, target: 1 }]);
    expect(opened.flights()).toBe(1);
    const [x, y] = (opened.el.querySelector(".soluna-flight")?.getAttribute("transform") ?? "").match(/[\d.]+/g) ?? [];
    expect(Number(x)).toBeCloseTo(from.x, 0);
    expect(Math.abs(Number(y) - from.y)).toBeLessThan(42);
    expect(opened.marked("carried")).toEqual([]);
    land();
    opened.kernel.answer();
    expect(opened.seen()).toEqual(expected(opened.kernel.state));
    expect(opened.marked("taken")).toEqual([]);
  });

  it("is refused by an illegal target with the reason, and lies where it was", () => {
    const opened = open(uneven());
    const before = opened.seen();
    const hand = pointer(opened, kind);
    hand.press(0);
    hand.over(1);
    hand.releaseOver(1);
    expect(opened.asked()).toMatchObject([{ kind: "move", mover: 0, target: 1 }]);
    expect(opened.flights()).toBe(0);
    expect(opened.seen()).toEqual(before);
    opened.kernel.answer();
    expect(opened.status()).toBe("Sun, height 1 cannot go on stars, height 2: neither tops nor heights agree.");
    expect(opened.seen()).toEqual(before);
    expect(opened.marked("carried")).toEqual([]);
  });
});

describe("a press", () => {
  it("that hardly moves stays a click", () => {
    const opened = open();
    const hand = pointer(opened);
    const home = stackOf(opened.kernel.state, 4);
    hand.press(4);
    hand.move({ x: home.x + 4, y: home.y - 4 });
    hand.releaseOver(4);
    opened.click(4);
    expect(opened.marked("taken")).toEqual([at(home)]);
    expect(opened.said()).toHaveLength(1);
  });

  it.each([
    ["of another button", { button: 2, buttons: 2 }],
    ["of a second finger", { isPrimary: false }],
    ["with Ctrl, which is a menu on some systems", { ctrlKey: true }],
  ])("%s lifts nothing", (_, more) => {
    const opened = open();
    const hand = pointer(opened);
    hand.press(0, more);
    hand.over(1);
    expect(opened.marked("carried")).toEqual([]);
  });

  it("lifts nothing while the computer thinks, while an answer is due, or when the round is over", () => {
    const still = { ...table(TWELVE).can, move: false };
    for (const change of [{ can: still }, { phase: "round_over", can: still }] as const) {
      const opened = open(table(TWELVE, change));
      const hand = pointer(opened);
      hand.press(0);
      hand.over(1);
      expect(opened.marked("carried")).toEqual([]);
    }
    const opened = open();
    opened.click(0);
    opened.click(1);
    const hand = pointer(opened);
    hand.press(4);
    hand.over(5);
    expect(opened.marked("carried")).toEqual([]);
  });
});

describe("a drag ends without a move and without a ghost", () => {
  const ways: readonly (readonly [string, (opened: Opened, hand: ReturnType<typeof pointer>) => void])[] = [
    ["dropped on the bare table", (_, hand) => hand.release(bare)],
    ["dropped where it came from", (opened, hand) => hand.release(stackOf(opened.kernel.state, 0))],
    ["dropped outside the window", (_, hand) => hand.release({ x: -900, y: 9000 })],
    ["released where nobody tells us", (_, hand) => hand.move(bare, { buttons: 0 })],
    ["the right button", (_, hand) => hand.move(bare, { buttons: 3 })],
    [
      "a menu",
      (opened) => opened.root.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true })),
    ],
    [
      "a second finger",
      (opened) => {
        pointer(opened, "touch", 2).press(5, { isPrimary: false });
      },
    ],
    ["a cancelled pointer", (_, hand) => hand.move(bare) && undefined],
    ["a lost pointer", (opened, hand) => hand.fire(opened.root, "lostpointercapture", bare)],
    ["Escape, wherever the focus is", () => key(document.body, "Escape")],
    ["the window losing the focus", () => window.dispatchEvent(new Event("blur"))],
  ];

  it.each(ways)("by %s", (name, end) => {
    const opened = open();
    const before = opened.seen();
    const hand = pointer(opened);
    hand.press(0);
    hand.over(1);
    expect(opened.marked("carried")).toHaveLength(1);
    if (name === "a cancelled pointer") hand.fire(opened.root, "pointercancel", bare);
    else end(opened, hand);
    expect(opened.marked("carried")).toEqual([]);
    expect(opened.marked("taken")).toEqual([]);
    expect(opened.marked("hovered")).toEqual([]);
    expect(opened.seen()).toEqual(before);
    expect(opened.said()).toEqual(["sun, height 1 taken. 11 legal targets.", "sun, height 1 let go."]);
    // The pointer is still somewhere: what it does now is nothing, not even a click.
    hand.over(2);
    hand.release(stackOf(opened.kernel.state, 1));
    expect(opened.asked()).toEqual([]);
    expect(opened.marked("taken")).toEqual([]);
    expect(opened.seen()).toEqual(before);
    // And the next drag is as good as the first.
    hand.press(0);
    hand.over(1);
    hand.releaseOver(1);
    expect(opened.asked()).toHaveLength(1);
  });

  it.each([
    ["merges what is held", 0, 1],
    ["merges another stack", 4, 5],
  ])("when Python %s", (_, mover, target) => {
    const opened = open();
    const hand = pointer(opened);
    hand.press(0);
    hand.over(1);
    opened.kernel.publish(play(opened.kernel.state as State, mover, target) as State);
    expect(opened.marked("carried")).toEqual([]);
    expect(opened.marked("taken")).toEqual([]);
    hand.over(2);
    hand.releaseOver(2);
    land();
    expect(opened.asked()).toEqual([]);
    expect(opened.seen()).toEqual(expected(opened.kernel.state));
  });

  it("but goes on when only an answer or a notice comes", () => {
    const opened = open();
    const hand = pointer(opened);
    hand.press(0);
    hand.over(1);
    opened.kernel.publish({ notice: { code: "callback_failed", params: {}, text: "" } });
    expect(opened.marked("carried")).toHaveLength(1);
  });

  it("when the table is closed", () => {
    const opened = open();
    const hand = pointer(opened);
    hand.press(0);
    hand.over(1);
    opened.close();
    window.dispatchEvent(new Event("blur"));
    expect(opened.el.childElementCount).toBe(0);
    expect(opened.asked()).toEqual([]);
  });
});

it("is no click: neither lets go nor takes", () => {
  const opened = open();
  const hand = pointer(opened);
  hand.press(0);
  hand.over(1);
  hand.releaseOver(1);
  opened.click(1);
  expect(opened.marked("taken")).toEqual([]);
  // The next press is a click again.
  opened.kernel.answer();
  hand.press(4);
  hand.releaseOver(4);
  opened.click(4);
  expect(opened.marked("taken")).toHaveLength(1);
});

it("captures the pointer, so that a release anywhere is heard", () => {
  const opened = open();
  const capture = vi.fn();
  opened.root.setPointerCapture = capture;
  const hand = pointer(opened, "mouse", 7);
  hand.press(0);
  expect(capture).not.toHaveBeenCalled();
  hand.over(1);
  hand.over(2);
  expect(capture.mock.calls).toEqual([[7]]);
});

it("glides back, unless one wants less motion", () => {
  for (const reduce of [false, true]) {
    vi.stubGlobal("matchMedia", (query: string) => ({
      matches: reduce && query.includes("reduce"),
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    const animate = vi.fn();
    SVGElement.prototype.animate = animate;
    const opened = open();
    const hand = pointer(opened);
    hand.press(0);
    hand.over(1);
    hand.release(bare);
    expect(animate).toHaveBeenCalledTimes(reduce ? 0 : 1);
    Reflect.deleteProperty(SVGElement.prototype, "animate");
    opened.close();
  }
});

describe("a swipe", () => {
  const swipe = (target: Element) => {
    const event = new Event("touchmove", { bubbles: true, cancelable: true });
    target.dispatchEvent(event);
    return event.defaultPrevented;
  };

  it("scrolls the page from the bare table, and not from a stack that can be carried", () => {
    const opened = open();
    const hand = pointer(opened, "touch");
    const surface = opened.el.querySelector(".soluna-table") as SVGElement;
    hand.fire(surface, "pointerdown", bare);
    expect(swipe(surface)).toBe(false);
    hand.fire(surface, "pointercancel", bare);
    hand.press(0);
    expect(swipe(opened.stack(0))).toBe(true);
  });

  it("scrolls from a stack, too, when stacks cannot be carried", () => {
    const opened = open(table(TWELVE, { phase: "round_over", can: { ...table(TWELVE).can, move: false } }));
    pointer(opened, "touch").press(0);
    expect(swipe(opened.stack(0))).toBe(false);
    expect(opened.stack(0).getAttribute("aria-disabled")).toBe("true");
  });
});

it("finds the stack under a point by its drawn outline, the nearer one first", () => {
  const stacks = [
    { id: 1, discs: ["S"], x: 100, y: 100 },
    { id: 2, discs: [..."SMTCSMTCSMTC"], x: 100, y: 180 },
  ];
  const find = (x: number, y: number, upright = false) => stackAtPoint({ upright, scale: 1 }, 42, stacks, { x, y });
  expect(find(100, 70)).toBe(1);
  // The tall pile stands before the single disc.
  expect(find(100, 130)).toBe(2);
  expect(find(150, 100)).toBe(null);
  expect(find(138, 180)).toBe(2);
  expect(find(100, 100, true)).toBe(1);
  expect(find(180, 100, true)).toBe(2);
});

it("plays a whole match to four stars by finger alone", () => {
  const opened = open(table({ stacks: ["S", "M", "T", "C", "S"] }));
  const { kernel, root, el } = opened;
  kernel.sending = "answer";
  const finger = pointer(opened, "touch");
  for (let turn = 0; root.dataset.phase !== "match_over"; turn++) {
    if (turn > 100) throw new Error("this match does not end");
    const tap = [...el.querySelectorAll<HTMLButtonElement>(".soluna-primary")].find((button) => !button.hidden);
    if (tap !== undefined) tap.click();
    else {
      const [mover, target] = (kernel.state as State).moves[0] as [number, number];
      finger.press(mover);
      finger.over(target);
      finger.releaseOver(target);
    }
    land();
    expect(opened.seen()).toEqual(expected(kernel.state));
  }
  expect(Math.max(...(kernel.state as State).stars)).toBe(4);
});

it("an earlier table is there to be looked at: none of its stacks can be carried", () => {
  const start = uneven();
  const [mover, target] = start.moves[0] as [number, number];
  const opened = open(play(start, mover, target));
  opened.button("Replay").click();
  opened.button("One move back").click();
  land();
  const hand = pointer(opened);
  for (const { id } of opened.kernel.state?.stacks ?? []) {
    hand.press(id);
    hand.move(bare);
    expect(opened.marked("carried")).toEqual([]);
    expect(opened.marked("taken")).toEqual([]);
    hand.release(bare);
  }
});
