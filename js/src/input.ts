/** From what people do with pointer and keys to what they mean; knows elements, but neither state nor wire. */
import type { StackId } from "./contract";
import type { Action } from "./table";

export interface Meanings {
  readonly press: (id: StackId) => void;
  readonly letGo: () => void;
  readonly act: (action: Action) => void;
  /** The pointer or the keyboard's focus is on this stack, or on none. */
  readonly point: (id: StackId | null) => void;
}

/** Listens at the root; returns what stops it. */
export function listen(root: HTMLElement, meanings: Meanings): () => void {
  const stop = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, act: (event: HTMLElementEventMap[K]) => void) =>
    root.addEventListener(type, act, { signal: stop.signal });

  on("click", (event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLButtonElement>("button[name]");
    const id = stackAt(target);
    if (id !== null) meanings.press(id);
    else if (button !== null) meanings.act(button.name as Action);
    else if (target.closest(".soluna-table") !== null) meanings.letGo();
  });

  on("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const id = stackAt(event.target as Element);
    if (event.key === "Escape") meanings.letGo();
    else if (id !== null && (event.key === "Enter" || event.key === " ")) {
      // A held key must not take and let go by turns.
      if (!event.repeat) meanings.press(id);
      event.preventDefault();
    } else if (!(event.target instanceof HTMLButtonElement && (event.key === "Enter" || event.key === " "))) return;
    // The notebook has its own use for these keys.
    event.stopPropagation();
  });

  on("pointerover", (event) => {
    if (event.pointerType !== "touch") meanings.point(stackAt(event.target as Element));
  });
  on("pointerleave", () => meanings.point(null));
  on("focusin", (event) => {
    const target = event.target as Element;
    if (target.matches(":focus-visible")) meanings.point(stackAt(target));
  });
  on("focusout", () => meanings.point(null));
  return () => stop.abort();
}

function stackAt(target: Element): StackId | null {
  const id = target.closest("[data-stack]")?.getAttribute("data-stack");
  return id === null || id === undefined ? null : Number(id);
}
