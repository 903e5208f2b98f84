/** The table as it is read and heard: labels, list, roles, and a live region that is enough to play by. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { play, TWELVE, table } from "../dev/kernel";
import { scenes } from "../dev/scenes";
import type { State } from "../src/contract";
import { key, land, type Opened, open } from "./opened";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  document.body.replaceChildren();
  document.documentElement.lang = "";
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const labels = ({ el }: Opened) =>
  [...el.querySelectorAll("[data-stack]")].map((handle) => handle.getAttribute("aria-label"));
const uneven = (change: Partial<State> = {}) => table({ stacks: ["S", "MT", "CT"] }, change);

describe("a stack's label", () => {
  it("says what it is and what it can do", () => {
    expect(labels(open(uneven()))).toEqual([
      "sun, height 1, no legal target",
      "stars, height 2, 1 legal target",
      "stars, height 2, 1 legal target",
    ]);
    expect(labels(open())[0]).toBe("sun, height 1, 11 legal targets");
  });

  it("says what it is to the stack that is taken, and back again", () => {
    const opened = open(uneven());
    opened.click(1);
    expect(labels(opened)).toEqual([
      "sun, height 1, not a target",
      "stars, height 2, taken",
      "stars, height 2, legal target",
    ]);
    opened.click(1);
    expect(labels(opened)[1]).toBe("stars, height 2, 1 legal target");
  });

  it.each(["thinking", "round_over", "match_over", "choosing", "placing"])(
    "says only what it is when nothing can be taken: %s",
    (name) => {
      const opened = open(scenes[name]);
      for (const label of labels(opened)) expect(label).toMatch(/^\w+, height \d+$/);
      for (const handle of opened.el.querySelectorAll("[data-stack]")) {
        expect(handle.getAttribute("aria-disabled")).toBe("true");
      }
    },
  );
});

describe("the structure", () => {
  it("is a named list of buttons, in the order of reading, in which pressed and disabled are right", () => {
    const opened = open(uneven());
    const list = opened.el.querySelector('[role="list"]');
    expect(list?.getAttribute("aria-label")).toBe("Stacks");
    expect([...(list?.children ?? [])].map((item) => item.getAttribute("role"))).toEqual(Array(3).fill("listitem"));
    const handles = [...opened.el.querySelectorAll("[data-stack]")];
    expect(handles.every((handle) => handle.parentElement?.parentElement === list)).toBe(true);
    const y = handles.map((handle) => Number(handle.getAttribute("transform")?.match(/ ([\d.]+)\)/)?.[1]));
    expect(y).toEqual([...y].sort((a, b) => a - b));
    opened.click(1);
    expect(handles.map((handle) => handle.getAttribute("aria-pressed"))).toEqual(["false", "true", "false"]);
    expect(handles.map((handle) => handle.getAttribute("aria-disabled"))).toEqual(["false", "false", "false"]);
  });

  it("hides what only the eye sees, and has one live region, polite and whole sentences", () => {
    const { el } = open(scenes.middle);
    for (const pile of el.querySelectorAll(".soluna-pile")) {
      expect(pile.closest('[aria-hidden="true"]')).not.toBe(null);
    }
    expect(el.querySelectorAll("[aria-live]")).toHaveLength(1);
    expect(el.querySelectorAll('[role="alert"], [role="status"], [role="log"]')).toHaveLength(0);
  });

  it("gives every button and every star line a name", () => {
    for (const state of Object.values(scenes)) {
      const { el, close } = open(state);
      for (const named of el.querySelectorAll('button, [role="img"], [role="group"], [role="list"]')) {
        expect((named.getAttribute("aria-label") ?? named.textContent ?? "").trim()).not.toBe("");
      }
      close();
    }
  });
});

describe("the live region", () => {
  /** All that is said from now on, also what has left the region since. */
  function hear({ el }: Opened): string[] {
    const heard: string[] = [];
    const live = el.querySelector(".soluna-live") as HTMLElement;
    const append = live.append.bind(live);
    live.append = (...nodes) => {
      heard.push(...nodes.map((node) => (node as Node).textContent ?? ""));
      append(...nodes);
    };
    return heard;
  }

  it("says each event of a round once and in order", () => {
    const opened = open(table({ stacks: ["S", "M", "TS", "C"] }));
    const heard = hear(opened);
    const { kernel, click, button } = opened;
    kernel.sending = "answer";
    click(2);
    click(1);
    key(opened.stack(2), "Escape");
    click(0);
    click(1);
    land();
    button("Undo").click();
    land();
    button("Redo").click();
    land();
    const state = kernel.state as State;
    kernel.publish({ opponent: { seat: 1, name: "Luna", thinking: true }, can: { ...state.can, move: false } });
    kernel.publish({ ...(play(state, 1, 2) as State), opponent: null });
    land();
    button("Next round").click();
    button("Play first").click();
    expect(heard).toEqual([
      "sun, height 2 taken. 1 legal target.",
      "Sun, height 2 cannot go on moon, height 1: neither tops nor heights agree.",
      "sun, height 2 let go.",
      "sun, height 1 taken. 3 legal targets.",
      "Sol puts sun, height 1 on moon, height 1: now sun, height 2.",
      "Taken back: sun, height 1 lies on the table again.",
      "Sol puts sun, height 1 on moon, height 1: now sun, height 2.",
      "Luna puts sun, height 2 on sun, height 2: now sun, height 4.",
      "Sol cannot move: all tops and all heights differ. Luna takes a star.",
      "Round 2 begins.",
      "Sol lost the last round and chooses: play first or second?",
      "Sol moves first.",
    ]);
  });

  it("tells the whole table on request", () => {
    const opened = open(table({ stacks: ["S", "MT", "S", "CT"] }, { stars: [2, 0] }));
    key(opened.stack(0), "l");
    expect(opened.said()).toEqual([
      "4 stacks on the table: 2 times sun, height 1; 2 times stars, height 2. " +
        "Sol has 2 of 4 stars. Luna has 0 of 4 stars. " +
        "Sol moves first: put a stack on another with the same top or the same height.",
    ]);
  });

  it("is enough to play a match by, to its end", () => {
    const opened = open(table({ stacks: ["S", "M", "T", "C", "S"] }));
    const { kernel, el } = opened;
    kernel.sending = "answer";
    const heard = hear(opened);
    const press = (name: string) => key(document.activeElement ?? document.body, name);
    const last = () => heard.at(-1) ?? "";
    opened.stack(0).focus();
    for (let turn = 0; !heard.some((line) => line.includes("wins the match")); turn++) {
      if (turn > 60) throw new Error("this match does not end");
      // Only what was said decides what to do.
      if (/takes a star\.$/.test(last())) opened.button("Next round").click();
      else if (/chooses: play first or second\?$/.test(last())) opened.button("Play second").click();
      else {
        press("Home");
        press("Enter");
        for (let i = 0; / taken\. No legal target\.$/.test(last()); i++) {
          if (i > 60) throw new Error("nothing goes anywhere");
          press("Enter");
          press(["ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft"][((i * 7919) % 101) % 4] as string);
          press("Enter");
        }
        press("t");
        press("Enter");
        expect(last()).toMatch(/ puts .*: now |takes a star|wins the match/);
        if (!el.contains(document.activeElement)) throw new Error("the focus is lost");
      }
      land();
    }
    expect(Math.max(...(kernel.state as State).stars)).toBe(4);
  });
});

describe("the language on the page", () => {
  it("is the state's, and changes live; the root says which", () => {
    const opened = open(table(TWELVE, { language: "es" }));
    expect(opened.root.lang).toBe("es");
    expect(labels(opened)[0]).toBe("sol, altura 1, 11 destinos válidos");
    expect(opened.button("Deshacer").name).toBe("undo");
    opened.click(3);
    expect(opened.said()).toEqual(["estrella fugaz, altura 1, en la mano. 11 destinos válidos."]);
    opened.kernel.publish({ language: "en" });
    expect(opened.root.lang).toBe("en");
    expect(labels(opened)[0]).toBe("sun, height 1, legal target");
    expect(opened.el.querySelector(".soluna-help")?.textContent).toContain("Take a stack");
    expect(opened.status()).toMatch(/^Sol holds comet/);
  });

  it("is else the page's, else the browser's", () => {
    document.documentElement.lang = "es-CL";
    expect(open().root.lang).toBe("es");
    document.documentElement.lang = "";
    vi.stubGlobal("navigator", { ...navigator, language: "es-AR" });
    expect(open().root.lang).toBe("es");
    document.documentElement.lang = "en";
    expect(open().root.lang).toBe("en");
  });

  it("speaks every message of a match in Spanish", () => {
    const opened = open(table({ stacks: ["S", "M"] }, { language: "es" }));
    opened.kernel.sending = "answer";
    opened.click(0);
    opened.click(1);
    opened.button("Siguiente ronda").click();
    expect(opened.said()).toEqual([
      "sol, altura 1, en la mano. 1 destino válido.",
      "Sol pone sol, altura 1 sobre luna, altura 1: ahora, sol, altura 2.",
      "Luna no puede mover: solo queda una pila. Sol se lleva una estrella.",
      "Comienza la ronda 2.",
      "Luna perdió la ronda anterior y elige: ¿jugar primero o después?",
    ]);
  });
});

describe("a page that runs from right to left", () => {
  it("does not mirror the table, and names in it keep their own direction", () => {
    const players = ["שולה", "Luna"] as const;
    const opened = open(table(TWELVE, { players }));
    expect(opened.root.dir).toBe("ltr");
    expect([...opened.el.querySelectorAll("bdi")].map((name) => name.textContent)).toEqual([...players]);
    expect(opened.status()).toContain("\u2068שולה\u2069");
    opened.kernel.publish({ turn: 1 });
    expect(opened.status()).not.toContain("\u2068");
  });
});
