/**
 * One view of one model: brings together what Python says and what the person at this screen is doing.
 *
 * Synced state is `model.get("state")`, kept here only as the last one drawn. Everything else here is the browser's alone:
 * what is taken, what is pointed at, what is due, what was refused.
 */
import { announcements, ending, stackLabel } from "./announcements";
import type { Message, Model, Request, RequestBody, StackId, State } from "./contract";
import { Courier } from "./courier";
import { type Layout, layoutFor } from "./geometry";
import { listen } from "./input";
import { Motion, wantsStillness } from "./motion";
import { becamePartOf, merged } from "./scene";
import { keep, press, targets } from "./selection";
import { type Action, type Picture, Table } from "./table";
import { watchTheme } from "./theme";
import { type About, errorText, noticeText, type Words, wordsFor } from "./words";

/** How many announcements stay in the live region. */
const REMEMBERED = 6;

export class View {
  readonly #model: Model;
  readonly #words: Words;
  readonly #table = new Table();
  readonly #courier: Courier;
  readonly #motion: Motion;
  readonly #undoing: (() => void)[] = [];
  #state: State | null = null;
  #layout: Layout = { upright: false, scale: 1 };
  #width = 0;
  #taken: StackId | null = null;
  #hovered: StackId | null = null;
  /** The move shown before Python has confirmed it. */
  #ahead: { readonly mover: StackId; readonly target: StackId } | null = null;
  #refusal = "";
  /** A stack to shake as soon as it lies still. */
  #unwilling: StackId | null = null;

  constructor(model: Model, element: HTMLElement) {
    this.#model = model;
    this.#words = wordsFor("en");
    this.#courier = new Courier(model, (givenUp) => this.#waited(givenUp));
    this.#motion = new Motion((what) => {
      if (what === "moved") this.#table.drawScene(this.#picture());
      else this.#landed();
    });
    const { root } = this.#table;
    element.append(root);
    const changed = () => this.#stateChanged();
    model.on("change:state", changed);
    this.#undoing.push(
      () => model.off("change:state", changed),
      watchTheme(document, (dark) => root.classList.toggle("soluna-dark", dark)),
      listen(root, {
        press: (id) => this.#press(id),
        letGo: () => this.#letGo(),
        act: (action) => this.#act(action),
        point: (id) => this.#point(id),
      }),
      this.#watchWidth(),
      () => this.#courier.stop(),
      () => this.#motion.finish(),
      () => root.remove(),
    );
    this.#stateChanged();
    this.#courier.hello(this.#state);
    this.#draw();
  }

  close(): void {
    for (const undo of this.#undoing.splice(0)) undo();
  }

  /** Python has published: from now on every data attribute describes this state. */
  #stateChanged(): void {
    const next = this.#model.get("state");
    if (!isState(next) || next === this.#state) return;
    const before = this.#state;
    const ahead = this.#ahead;
    const { request, answer } = this.#courier.receive(next);
    const said = before === null ? [] : announcements(this.#words, before, next);
    if (before === null || next.revision !== before.revision) this.#refusal = "";
    const error = answer?.error ?? null;
    if (error !== null && request !== null) {
      this.#refusal = this.#why(error, request, before ?? next);
      said.push(this.#refusal);
    }
    const ours = request !== null && error === null;
    if (before !== null) this.#taken = keep(this.#taken, before, next, ours);
    // A refused or forgotten move goes back; while ours is still due and nothing else has happened, it stays ahead.
    if (this.#courier.pending === null || next.revision !== before?.revision) this.#ahead = null;
    this.#state = next;
    this.#layout = layoutFor(next.table, this.#width);
    const focused = this.#focusedStack();
    const still = before === null || wantsStillness();
    this.#motion.show(this.#ahead ? merged(next.stacks, this.#ahead.mover, this.#ahead.target) : next.stacks, still);
    this.#draw();
    if (focused.had) this.#keepFocus(focused.id, before, next);
    if (error !== null && request?.kind === "move") this.#shake(ahead?.mover ?? request.mover);
    this.#announce(said);
  }

  #press(id: StackId): void {
    const state = this.#state;
    if (state === null) return;
    const meant = press(state, this.#taken, id);
    if (meant.kind === "nothing") return;
    if (meant.kind === "send") {
      this.#send(meant.body, meant.legal);
      return;
    }
    this.#refusal = "";
    this.#taken = meant.kind === "take" ? meant.id : null;
    this.#draw();
  }

  #letGo(): void {
    if (this.#taken === null && this.#refusal === "") return;
    this.#taken = null;
    this.#refusal = "";
    this.#draw();
  }

  #act(action: Action): void {
    const bodies: { readonly [action in Action]: RequestBody } = {
      choose_first: { kind: "choose", order: "first" },
      choose_second: { kind: "choose", order: "second" },
      place: { kind: "place" },
      next_round: { kind: "next_round" },
      undo: { kind: "undo" },
      redo: { kind: "redo" },
      new_match: { kind: "new_match" },
    };
    this.#send(bodies[action], false);
  }

  #send(body: RequestBody, show: boolean): void {
    const state = this.#state;
    if (state === null) return;
    if (this.#courier.pending !== null) return;
    this.#refusal = "";
    const outcome = this.#courier.ask(body, state.revision);
    if (outcome === "unreachable") {
      this.#announce([this.#words.unreachable]);
      if (body.kind === "move") this.#shake(body.mover);
    } else if (show && body.kind === "move" && this.#courier.pending !== null) {
      this.#ahead = body;
      this.#taken = null;
      this.#motion.show(merged(state.stacks, body.mover, body.target), wantsStillness());
    }
    this.#draw();
  }

  #point(id: StackId | null): void {
    if (id === this.#hovered) return;
    this.#hovered = id;
    this.#table.drawScene(this.#picture());
  }

  /** Waiting has become trouble. */
  #waited(givenUp: Request | null): void {
    if (givenUp !== null && this.#ahead !== null && this.#state !== null) {
      this.#ahead = null;
      this.#motion.show(this.#state.stacks, wantsStillness());
    }
    this.#draw();
    const trouble = this.#trouble();
    this.#announce([trouble || (this.#courier.noKernel ? this.#words.no_kernel : "")]);
  }

  #draw(): void {
    this.#table.draw(this.#picture());
  }

  #picture(): Picture {
    const state = this.#state;
    const trouble = this.#trouble();
    return {
      state,
      words: this.#words,
      layout: this.#layout,
      scene: this.#motion.scene(),
      taken: this.#taken,
      hovered: this.#hovered,
      away: this.#ahead?.mover ?? null,
      arrivals: this.#motion.arrivals,
      busy: this.#courier.pending !== null,
      line: this.#courier.line,
      status: this.#refusal || trouble || this.#whatToDo(),
      tone: this.#refusal ? "refused" : trouble ? "trouble" : "plain",
      kernel: this.#courier.noKernel && !trouble ? this.#words.no_kernel : "",
      notice: state?.notice ? noticeText(this.#words, state.notice) : "",
    };
  }

  #trouble(): string {
    const trouble = this.#courier.trouble;
    return trouble === null ? "" : this.#words[trouble];
  }

  /** The status line when nothing is wrong. */
  #whatToDo(): string {
    const [state, words] = [this.#state, this.#words];
    if (state === null) return words.waiting_for_state;
    const name = state.players[state.turn];
    switch (state.phase) {
      case "placing":
        return words.places(name, state.to_place);
      case "choosing":
        if (!state.can.choose) return words.chooses(name);
        return state.round === 1 ? words.choose_youngest(name) : words.choose_loser(name);
      case "playing": {
        if (state.opponent?.thinking) return words.thinking(state.opponent.name);
        if (!state.can.move) return words.not_now(name);
        const taken = state.stacks.find((stack) => stack.id === this.#taken);
        if (taken) return words.holds(name, stackLabel(words, taken), targets(state, taken.id).size);
        return state.last === null ? words.to_begin(name) : words.to_move(name);
      }
      default:
        return ending(words, state);
    }
  }

  #why(error: Message, request: Request, state: State): string {
    const label = (id: StackId) => {
      const stack = state.stacks.find((candidate) => candidate.id === id);
      return stack ? stackLabel(this.#words, stack) : "";
    };
    const about: About =
      request.kind === "move"
        ? { mover: label(request.mover), target: label(request.target) }
        : { mover: "", target: "" };
    return errorText(this.#words, error, about);
  }

  #shake(id: StackId): void {
    if (wantsStillness()) return;
    if (this.#motion.gliding) this.#unwilling = id;
    else this.#table.shake(id);
  }

  #landed(): void {
    this.#draw();
    if (this.#unwilling === null || this.#motion.gliding) return;
    this.#table.shake(this.#unwilling);
    this.#unwilling = null;
  }

  #announce(sentences: readonly string[]): void {
    for (const sentence of sentences) {
      if (sentence === "") continue;
      const line = document.createElement("p");
      line.textContent = sentence;
      this.#table.live.append(line);
    }
    while (this.#table.live.childElementCount > REMEMBERED) this.#table.live.firstElementChild?.remove();
  }

  /** Whether the focus is in this table, and on which stack. */
  #focusedStack(): { readonly had: boolean; readonly id: StackId | null } {
    const active = (this.#table.root.getRootNode() as Document | ShadowRoot).activeElement;
    const id = active?.getAttribute("data-stack") ?? null;
    return { had: active !== null && this.#table.root.contains(active), id: id === null ? null : Number(id) };
  }

  /** Focus stays on a stack, or goes where it was merged; from a button that is gone it goes to what is needed next. */
  #keepFocus(id: StackId | null, before: State | null, after: State): void {
    const active = (this.#table.root.getRootNode() as Document | ShadowRoot).activeElement;
    const lost = !(active && this.#table.root.contains(active)) || active.matches("[hidden], :disabled");
    if (!lost) return;
    const into = id === null || before === null ? null : becamePartOf(before.stacks, after.stacks, id);
    const handle = into === null ? null : this.#table.handle(into.id);
    (handle ?? this.#table.refuge).focus({ preventScroll: true });
  }

  #watchWidth(): () => void {
    if (typeof ResizeObserver !== "function") return () => {};
    const { root } = this.#table;
    const observer = new ResizeObserver(() => {
      const width = root.clientWidth;
      if (width === 0 || width === this.#width) return;
      this.#width = width;
      if (this.#state === null) return;
      this.#layout = layoutFor(this.#state.table, width);
      this.#draw();
    });
    observer.observe(root);
    return () => observer.disconnect();
  }
}

/** Python may not have published yet. */
function isState(value: State | null | undefined): value is State {
  return typeof value?.serial === "number" && Array.isArray(value.stacks);
}
