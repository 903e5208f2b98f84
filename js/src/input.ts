/** From what people do with pointer and keys to what they mean; knows elements, but neither state nor wire. */
import type { StackId } from "./contract";
import { type Carrying, listenToDrags } from "./drag";
import type { Direction } from "./navigation";
import type { Action } from "./table";

export interface Meanings extends Carrying {
  readonly press: (id: StackId) => void;
  /** A click beside the stacks. */
  readonly letGo: () => void;
  /** Escape: out of the innermost of help, replay and what is taken. */
  readonly escape: () => void;
  readonly act: (action: Action) => void;
  /** An earlier table is to be shown. */
  readonly look: (frame: number) => void;
  /** The pointer or the keyboard's focus is on this stack, or on none. */
  readonly point: (id: StackId | null) => void;
  /** The focus has come to this stack. */
  readonly focused: (id: StackId) => void;
  /** The focus is to go from this stack to another. */
  readonly go: (from: StackId, to: Direction | "first" | "last") => void;
  /** The focus is to go to the next legal target, or to the one before. */
  readonly nextTarget: (step: 1 | -1) => void;
  /** The table is to be told in words. */
  readonly tell: () => void;
}

const WAYS: { readonly [key: string]: Direction | "first" | "last" } = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Home: "first",
  End: "last",
};

/** Keys with a character that is one key press on most keyboards, brackets are not; the same in all languages. */
const KEYS: { readonly [key: string]: Action } = {
  u: "undo",
  r: "redo",
  ",": "back",
  ".": "forward",
  "?": "help",
};

/** Listens at the root; returns what ends a drag, and what stops listening. */
export function listen(root: HTMLElement, meanings: Meanings): { endDrag: () => void; stop: () => void } {
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, act: (event: HTMLElementEventMap[K]) => void) =>
    root.addEventListener(type, act, { signal: stop.signal });

  const endDrag = listenToDrags(root, stackAt, meanings, stop.signal);

  on("click", (event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLButtonElement>("button[name]");
    const id = stackAt(target);
    if (id !== null) meanings.press(id);
    else if (button?.name === "look") meanings.look(Number(button.value));
    else if (button !== null) meanings.act(button.name as Action);
    else if (target.closest(".soluna-table") !== null) meanings.letGo();
  });

  on("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab") return;
    // The notebook has its own use for these keys, and for most others.
    event.stopPropagation();
    if (pressed(event, stackAt(event.target as Element), meanings)) event.preventDefault();
  });

  on("pointerover", (event) => {
    if (event.pointerType !== "touch") meanings.point(stackAt(event.target as Element));
  });
  on("pointerleave", () => meanings.point(null));
  on("focusin", (event) => {
    const target = event.target as Element;
    const id = stackAt(target);
    if (id !== null) meanings.focused(id);
    if (target.matches(":focus-visible")) meanings.point(id);
  });
  on("focusout", () => meanings.point(null));
  return { endDrag, stop: () => stop.abort() };
}

/** Whether the key meant something here. */
function pressed(event: KeyboardEvent, id: StackId | null, meanings: Meanings): boolean {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const way = Object.hasOwn(WAYS, key) ? WAYS[key] : undefined;
  const action = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
  if (way !== undefined) {
    if (id === null) return false;
    meanings.go(id, way);
  } else if (key === "Enter" || key === " ") {
    // On a button they are a click already.
    if (id === null) return false;
    // A held key must not take and let go by turns.
    if (!event.repeat) meanings.press(id);
  } else if (key === "Escape") meanings.escape();
  else if (key === "t") meanings.nextTarget(event.shiftKey ? -1 : 1);
  else if (key === "l") meanings.tell();
  else if (action !== undefined) {
    // Going through the match may be held down; what changes it may not.
    if (!event.repeat || action === "back" || action === "forward") meanings.act(action);
  } else return false;
  return true;
}

function stackAt(target: Element): StackId | null {
  const id = target.closest("[data-stack]")?.getAttribute("data-stack");
  return id === null || id === undefined ? null : Number(id);
}
