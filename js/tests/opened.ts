/** A table opened in the test's page, with a stand-in for Python behind it. */
import { vi } from "vitest";
import { FakeKernel, TWELVE, table } from "../dev/kernel";
import type { StackState, State } from "../src/contract";
import widget from "../src/index";

export function open(state: State | null = table(TWELVE), kernel = new FakeKernel(state)) {
  const el = document.body.appendChild(document.createElement("div"));
  const close = widget.render({ model: kernel, el });
  // By class and not by selector where it is asked often: the test page's selectors are slow.
  const all = (...names: string[]) => [...el.getElementsByClassName(names.join(" "))];
  const only = (name: string) => {
    const [found] = all(name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  const stack = (id: number) => {
    const found = (all("soluna-handle") as SVGGElement[]).find((handle) => handle.dataset.stack === String(id));
    if (found === undefined) throw new Error(`no stack ${id}`);
    return found;
  };
  return {
    kernel,
    el,
    close,
    root: only("soluna") as HTMLElement,
    stack,
    click: (id: number) => stack(id).dispatchEvent(new MouseEvent("click", { bubbles: true })),
    button: (name: string) => {
      const button = [...el.getElementsByTagName("button")].find(
        (candidate) => candidate.textContent === name || candidate.getAttribute("aria-label") === name,
      );
      if (button === undefined) throw new Error(`no button ${name}`);
      return button;
    },
    status: () => only("soluna-status").textContent ?? "",
    said: () => [...only("soluna-live").children].map((line) => line.textContent),
    marked: (name: string) =>
      all("soluna-pile", `soluna-${name}`)
        .map((pile) => pile.getAttribute("transform"))
        .sort(),
    flights: () => all("soluna-flight").length,
    /** What the eye sees lying on the table: places and heights. */
    seen: () =>
      [...only("soluna-piles").children]
        .map(
          (pile) => `${pile.getAttribute("transform")} ${pile.getElementsByClassName("soluna-badge")[0]?.textContent}`,
        )
        .sort(),
    /** All requests but the first "hello". */
    asked: () => kernel.requests.filter((request) => request.kind !== "hello"),
  };
}

/** A table opened where a kernel has answered already. */
export function greeted(...words: Parameters<typeof open>) {
  const opened = open(...words);
  opened.kernel.answer();
  return opened;
}

export type Opened = ReturnType<typeof open>;

export const at = (stack: StackState) => `translate(${stack.x} ${stack.y})`;

/** What the eye should see when nothing glides. */
export const expected = (state: State | null) =>
  (state?.stacks ?? []).map((stack) => `${at(stack)} ${stack.discs.length}`).sort();

export function place(state: State | null, id: number): string {
  const stack = state?.stacks.find((candidate) => candidate.id === id);
  if (stack === undefined) throw new Error(`no stack ${id}`);
  return at(stack);
}

/** Lets every glide land. */
export const land = () => vi.advanceTimersByTime(1000);

export function key(target: Element, name: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more });
  target.dispatchEvent(event);
  return event;
}
