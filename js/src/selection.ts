/** What pressing a stack means, given the state and what is taken: pure, and no rule is decided here. */
import type { RequestBody, StackId, State } from "./contract";

export type Press =
  | { readonly kind: "take"; readonly id: StackId }
  | { readonly kind: "let_go" }
  /** `legal`: the table may show the move before Python has confirmed it. */
  | { readonly kind: "send"; readonly body: RequestBody; readonly legal: boolean }
  /** Nobody can move now: the status line already says why. */
  | { readonly kind: "nothing" };

export function press(state: State, taken: StackId | null, id: StackId): Press {
  if (!has(state, id)) return { kind: "nothing" };
  if (state.phase !== "playing" || !state.can.move) return { kind: "nothing" };
  if (taken === null || !has(state, taken)) return { kind: "take", id };
  if (taken === id) return { kind: "let_go" };
  return { kind: "send", body: { kind: "move", mover: taken, target: id }, legal: isLegal(state, taken, id) };
}

/** What stays taken when another state comes. */
export function keep(taken: StackId | null, before: State, after: State, ours: boolean): StackId | null {
  if (taken === null || !has(after, taken)) return null;
  if (after.revision === before.revision) return taken;
  return !ours && after.phase === "playing" && after.can.move ? taken : null;
}

export function isLegal(state: State, mover: StackId, target: StackId): boolean {
  return state.moves.some(([from, to]) => from === mover && to === target);
}

export function targets(state: State, mover: StackId): ReadonlySet<StackId> {
  return new Set(state.moves.filter(([from]) => from === mover).map(([, to]) => to));
}

function has(state: State, id: StackId): boolean {
  return state.stacks.some((stack) => stack.id === id);
}
