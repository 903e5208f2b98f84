/**
 * Carrying a stack with mouse, pen or finger: one pointer at a time, and every way in which it can go wrong ends it.
 *
 * Knows elements and pointers, but neither state nor wire. A press that moves less than a few pixels stays a click.
 */
import type { StackId } from "./contract";

/** Pixels from which a press is a drag. */
export const THRESHOLD = 6;
/** A click that comes this soon after a drag's end, in milliseconds, belongs to it. */
const ECHO = 300;

export interface Carrying {
  /** Whether this stack may be carried now. */
  readonly movable: (id: StackId) => boolean;
  /** It is lifted at these client coordinates. */
  readonly lift: (id: StackId, x: number, y: number) => void;
  readonly carry: (x: number, y: number) => void;
  readonly drop: (x: number, y: number) => void;
  /** It goes back: nothing was dropped. */
  readonly release: () => void;
}

interface Held {
  readonly id: StackId;
  readonly pointer: number;
  readonly mouse: boolean;
  readonly x: number;
  readonly y: number;
  /** pressed: still a click. carried: a drag. spent: it has ended, but its pointer is still down. */
  stage: "pressed" | "carried" | "spent";
}

/** Listens at the root until the signal; returns what ends a drag that is under way. */
export function listenToDrags(
  root: HTMLElement,
  stackAt: (target: Element) => StackId | null,
  carrying: Carrying,
  signal: AbortSignal,
): () => void {
  let held: Held | null = null;
  let ended = Number.NEGATIVE_INFINITY;

  const cancel = () => {
    if (held === null) return;
    const { stage } = held;
    held.stage = "spent";
    if (stage === "carried") carrying.release();
  };
  const mine = (event: PointerEvent) => held !== null && event.pointerId === held.pointer;
  const gone = (event: Event) => {
    if (held !== null && held.stage !== "pressed") ended = event.timeStamp;
    held = null;
  };

  root.addEventListener(
    "pointerdown",
    (event) => {
      ended = Number.NEGATIVE_INFINITY;
      // A second finger, or the first was never told to have gone.
      cancel();
      if (!event.isPrimary) return;
      held = null;
      const id = stackAt(event.target as Element);
      if (id === null || event.button !== 0 || event.ctrlKey || !carrying.movable(id)) return;
      const { pointerId: pointer, clientX: x, clientY: y } = event;
      held = { id, pointer, mouse: event.pointerType === "mouse", x, y, stage: "pressed" };
    },
    { signal },
  );

  root.addEventListener(
    "pointermove",
    (event) => {
      if (held === null || !mine(event)) return;
      if (held.mouse && event.buttons !== 1) {
        // Another button, or the button was let go where nobody told us.
        cancel();
        if (event.buttons === 0) gone(event);
        return;
      }
      if (held.stage === "pressed") {
        if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < THRESHOLD) return;
        if (!carrying.movable(held.id)) {
          cancel();
          return;
        }
        held.stage = "carried";
        try {
          // By the root, not the stack: the stack may go.
          root.setPointerCapture(held.pointer);
        } catch {
          // The pointer is gone already: its end will be noticed.
        }
        carrying.lift(held.id, held.x, held.y);
      }
      if (held.stage === "carried") carrying.carry(event.clientX, event.clientY);
    },
    { signal },
  );

  root.addEventListener(
    "pointerup",
    (event) => {
      if (held === null || !mine(event)) return;
      const { stage } = held;
      gone(event);
      if (stage === "carried") carrying.drop(event.clientX, event.clientY);
    },
    { signal },
  );

  const lost = (event: PointerEvent) => {
    if (!mine(event)) return;
    cancel();
    gone(event);
  };
  root.addEventListener("pointercancel", lost, { signal });
  root.addEventListener(
    "lostpointercapture",
    (event) => {
      // When a finger's capture passes from the stack to the root, the stack loses it.
      if (event.target === root) lost(event);
    },
    { signal },
  );
  root.addEventListener(
    "contextmenu",
    (event) => {
      if (held === null) return;
      // A finger that rests before it moves is no wish for a menu.
      if (!held.mouse) event.preventDefault();
      else cancel();
    },
    { signal },
  );
  // Browsers that do not know `touch-action` inside drawings would scroll away with the stack.
  root.addEventListener(
    "touchmove",
    (event) => {
      if (held !== null && event.cancelable) event.preventDefault();
    },
    { signal, passive: false },
  );
  window.addEventListener("blur", cancel, { signal });
  document.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Escape" || held?.stage !== "carried") return;
      cancel();
      event.stopPropagation();
      event.preventDefault();
    },
    { signal, capture: true },
  );
  // Outside the window or the root, where no capture reaches.
  window.addEventListener(
    "pointerup",
    (event) => {
      if (held === null || !mine(event) || root.contains(event.target as Node)) return;
      cancel();
      gone(event);
    },
    { signal },
  );
  // A drag is no click.
  root.addEventListener(
    "click",
    (event) => {
      if (event.timeStamp - ended > ECHO) return;
      ended = Number.NEGATIVE_INFINITY;
      event.stopPropagation();
      event.preventDefault();
    },
    { signal, capture: true },
  );
  return () => {
    if (held?.stage === "carried") cancel();
  };
}
