/**
 * One view of one model: brings together what Python says and what the person at this screen is doing.
 *
 * Synced state is `model.get("state")`, kept here only as the last one drawn. Everything else here is the browser's alone:
 * what is taken, what is pointed at, what is due, what was refused.
 */
import {
  announcements,
  choosing,
  ending,
  frameInWords,
  isolated,
  nameOf,
  reviewInWords,
  stackLabel,
  tableInWords,
} from "./announcements";
import type { Message, Model, Request, RequestBody, StackId, State } from "./contract";
import { Courier } from "./courier";
import { chooseFile, NAME, saveFile } from "./files";
import { type Layout, layoutFor, type Point, place, stackAtPoint } from "./geometry";
import { listen } from "./input";
import { Motion, wantsStillness } from "./motion";
import { cycle, type Direction, nearest, readingOrder } from "./navigation";
import { type Frame, frameCount, frames } from "./replay";
import { becamePartOf, merged } from "./scene";
import { keep, press, targets } from "./selection";
import { type Action, type Asked, type Picture, Table } from "./table";
import { watchTheme } from "./theme";
import { type About, errorText, languageOf, noticeText, type Words, wordsFor } from "./words";

/** How many announcements stay in the live region. */
const REMEMBERED = 6;

export class View {
  readonly #model: Model;
  #language = "en";
  #words: Words = wordsFor("en");
  readonly #table = new Table();
  readonly #courier: Courier;
  readonly #motion: Motion;
  readonly #undoing: (() => void)[] = [];
  #state: State | null = null;
  #layout: Layout = { upright: false, scale: 1 };
  #width = 0;
  #taken: StackId | null = null;
  #hovered: StackId | null = null;
  /** The stack that Tab leads to: the last that had the focus. */
  #current: StackId | null = null;
  /** What is carried, where in the drawing, and how far its middle is from the pointer. */
  #hand: (Point & { readonly id: StackId; readonly off: Point }) | null = null;
  /** The match so far, and which of its tables is shown; null for the present. */
  #replay: { readonly frames: readonly Frame[]; readonly index: number } | null = null;
  /** What the state's review says: made when a state comes, not whenever something is drawn. */
  #review: Picture["review"] = null;
  #help = false;
  /** What had the focus before the help took it. */
  #helpFrom: Element | null = null;
  readonly #endDrag: () => void;
  /** The move shown before Python has confirmed it. */
  #ahead: { readonly mover: StackId; readonly target: StackId } | null = null;
  #refusal = "";
  /** A stack to shake as soon as it lies still. */
  #unwilling: StackId | null = null;

  constructor(model: Model, element: HTMLElement) {
    this.#model = model;
    this.#courier = new Courier(model, (givenUp) => this.#waited(givenUp));
    this.#motion = new Motion((what) => {
      if (what === "moved") this.#table.drawScene(this.#picture());
      else this.#landed();
    });
    const { root } = this.#table;
    element.append(root);
    const input = listen(root, {
      press: (id) => this.#press(id),
      letGo: () => this.#letGo(),
      escape: () => this.#escape(),
      act: (action) => this.#act(action),
      look: (frame) => this.#look(frame),
      point: (id) => this.#point(id),
      focused: (id) => this.#focused(id),
      go: (from, to) => this.#go(from, to),
      nextTarget: (step) => this.#nextTarget(step),
      tell: () => this.#tell(),
      movable: (id) => this.#movable(id),
      lift: (id, x, y) => this.#lift(id, x, y),
      carry: (x, y) => this.#carry(x, y),
      drop: (x, y) => this.#drop(x, y),
      release: () => this.#release(),
    });
    this.#endDrag = input.endDrag;
    const changed = () => this.#stateChanged();
    model.on("change:state", changed);
    this.#undoing.push(
      () => model.off("change:state", changed),
      watchTheme(document, (dark) => root.classList.toggle("soluna-dark", dark)),
      input.stop,
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
    const changed = before !== null && next.revision !== before.revision;
    if (changed) this.#endDrag();
    this.#speak(next);
    const ahead = this.#ahead;
    const { request, answer } = this.#courier.receive(next);
    const said = before === null ? [] : announcements(this.#words, before, next);
    if (before === null || changed) this.#refusal = "";
    if (changed && this.#replay !== null) {
      this.#replay = null;
      said.unshift(this.#words.replay_ended);
    }
    const error = answer?.error ?? null;
    if (error !== null && request !== null) {
      this.#refusal = this.#why(error, request, before ?? next);
      said.push(this.#refusal);
    }
    const ours = request !== null && error === null;
    if (ours && request.kind === "open") said.splice(0, said.length, this.#words.opened);
    if (ours && request.kind === "record" && typeof next.record === "string") {
      saveFile(NAME, next.record);
      said.push(this.#words.saved(NAME));
    }
    if (ours && request.kind === "hints") said.push(request.on ? this.#words.hints_on : this.#words.hints_off);
    if (before !== null) this.#taken = keep(this.#taken, before, next, ours);
    // A refused or forgotten move goes back; while ours is still due and nothing else has happened, it stays ahead.
    if (this.#courier.pending === null || changed) this.#ahead = null;
    if (before !== null && this.#current !== null && !next.stacks.some((stack) => stack.id === this.#current)) {
      this.#current = becamePartOf(before.stacks, next.stacks, this.#current)?.id ?? null;
    }
    this.#state = next;
    this.#review = next.review ? reviewInWords(this.#words, next, frames(next.history ?? [])) : null;
    this.#layout = layoutFor(next.table, this.#width);
    const focused = this.#focusedStack();
    const still = before === null || wantsStillness();
    this.#show(still);
    this.#draw();
    if (focused.had) this.#keepFocus(focused.id, before, next);
    if (error !== null && request?.kind === "move") this.#shake(ahead?.mover ?? request.mover);
    if (ours && request.kind === "open") said.push(this.#whatToDo());
    if (ours && request.kind === "review") {
      const [start = "", ...mistakes] = this.#review ?? [];
      said.push(start, ...mistakes.map(({ text }) => text));
    }
    this.#announce(said);
  }

  /** The words follow the state's language, else the page's, else the browser's. */
  #speak(state: State): void {
    const language = languageOf(state.language ?? document.documentElement.lang, navigator.language);
    if (language === this.#language) return;
    this.#language = language;
    this.#words = wordsFor(language);
  }

  /** What is to be seen, once it has glided there. */
  #show(still: boolean, from: Point | null = null): void {
    const { stacks } = this.#state ?? { stacks: [] };
    const present = this.#ahead ? merged(stacks, this.#ahead.mover, this.#ahead.target) : stacks;
    this.#motion.show(this.#past()?.stacks ?? present, still, from);
  }

  #press(id: StackId): void {
    const state = this.#state;
    if (state === null || this.#replay !== null) return;
    const meant = press(state, this.#taken, id);
    if (meant.kind === "send") this.#send(meant.body, meant.legal);
    else if (meant.kind === "take") this.#take(meant.id);
    else if (meant.kind === "let_go") this.#letGo();
  }

  #take(id: StackId): void {
    const state = this.#state;
    this.#refusal = "";
    this.#taken = id;
    this.#draw();
    const stack = state?.stacks.find((candidate) => candidate.id === id);
    if (state && stack) this.#announce([this.#words.took(stackLabel(this.#words, stack), targets(state, id).size)]);
  }

  #letGo(): void {
    if (this.#taken === null && this.#refusal === "") return;
    const stack = this.#state?.stacks.find((candidate) => candidate.id === this.#taken);
    this.#taken = null;
    this.#refusal = "";
    this.#draw();
    if (stack) this.#announce([this.#words.let_go(stackLabel(this.#words, stack))]);
  }

  #escape(): void {
    if (this.#help) this.#act("help");
    else if (this.#replay !== null) this.#act("present");
    else this.#letGo();
  }

  #tell(): void {
    const state = this.#state;
    if (state === null) return;
    const past = this.#past();
    const shown = past === null ? state : { ...state, stacks: past.stacks, stars: past.stars };
    this.#announce([tableInWords(this.#words, shown, this.#layout, this.#picture().status)]);
  }

  // ---- the keyboard's focus ----

  #focused(id: StackId): void {
    if (id === this.#current) return;
    this.#current = id;
    this.#draw();
  }

  #go(from: StackId, to: Direction | "first" | "last"): void {
    if (this.#state === null) return;
    const { stacks } = this.#state;
    const all = readingOrder(this.#layout, stacks);
    const id = to === "first" ? all.at(0) : to === "last" ? all.at(-1) : nearest(this.#layout, stacks, from, to);
    this.#focus(id ?? null);
  }

  #nextTarget(step: 1 | -1): void {
    const state = this.#state;
    if (state === null || this.#taken === null || this.#replay !== null) return;
    const all = readingOrder(this.#layout, state.stacks);
    const focused = this.#focusedStack().id;
    this.#focus(cycle(all, targets(state, this.#taken), focused ?? this.#current, step));
  }

  #focus(id: StackId | null): void {
    if (id !== null) this.#table.handle(id)?.focus({ preventScroll: false });
  }

  // ---- carrying ----

  #movable(id: StackId): boolean {
    const state = this.#state;
    if (state === null || this.#replay !== null || this.#courier.pending !== null) return false;
    return press(state, null, id).kind === "take";
  }

  #lift(id: StackId, clientX: number, clientY: number): void {
    const stack = this.#state?.stacks.find((candidate) => candidate.id === id);
    if (stack === undefined) return;
    const at = place(this.#layout, stack);
    const pointer = this.#table.pointAt(this.#picture(), clientX, clientY);
    this.#hand = { id, ...at, off: { x: at.x - pointer.x, y: at.y - pointer.y } };
    this.#hovered = null;
    if (this.#taken === id) this.#draw();
    else this.#take(id);
  }

  #carry(clientX: number, clientY: number): void {
    const hand = this.#hand;
    if (hand === null) return;
    const { x, y } = this.#table.pointAt(this.#picture(), clientX, clientY);
    this.#hand = { ...hand, x: x + hand.off.x, y: y + hand.off.y };
    this.#hovered = this.#under({ x, y });
    this.#table.drawScene(this.#picture());
  }

  #drop(clientX: number, clientY: number): void {
    const hand = this.#hand;
    const state = this.#state;
    if (hand === null || state === null) return;
    const over = this.#under(this.#table.pointAt(this.#picture(), clientX, clientY));
    const meant = over === null ? null : press(state, hand.id, over);
    if (meant?.kind !== "send") {
      this.#release();
      return;
    }
    this.#hand = null;
    this.#hovered = null;
    this.#taken = null;
    this.#send(meant.body, meant.legal, hand);
    if (this.#ahead === null && this.#courier.pending !== null) this.#putBack(hand);
  }

  #release(): void {
    const hand = this.#hand;
    if (hand === null) return;
    this.#hand = null;
    this.#hovered = null;
    this.#letGo();
    this.#putBack(hand);
  }

  #putBack(hand: Point & { readonly id: StackId }): void {
    const stack = this.#state?.stacks.find((candidate) => candidate.id === hand.id);
    if (stack && !wantsStillness()) this.#table.putBack(hand.id, hand, place(this.#layout, stack));
  }

  /** The stack that lies at a point of the drawing, but for the carried one. */
  #under(point: Point): StackId | null {
    if (this.#state === null) return null;
    const others = this.#state.stacks.filter((stack) => stack.id !== this.#hand?.id);
    return stackAtPoint(this.#layout, this.#state.table.radius, others, point);
  }

  // ---- buttons ----

  #act(action: Action): void {
    switch (action) {
      case "help":
        this.#toggleHelp();
        return;
      case "replay":
        if (this.#replay === null) this.#look(Number.POSITIVE_INFINITY);
        else this.#look(null);
        return;
      case "present":
        this.#look(null);
        return;
      case "first":
        this.#look(0);
        return;
      case "last":
        this.#look(Number.POSITIVE_INFINITY);
        return;
      case "back":
        this.#look((this.#replay?.index ?? this.#frameCount() - 1) - 1);
        return;
      case "forward":
        if (this.#replay !== null) this.#look(this.#replay.index + 1);
        return;
      case "open":
        chooseFile((record) => this.#open(record));
        return;
      default:
        if (this.#replay === null) this.#ask(action);
    }
  }

  #frameCount(): number {
    return frameCount(this.#state?.history ?? []);
  }

  #past(): Frame | null {
    return this.#replay?.frames[this.#replay.index] ?? null;
  }

  /** Shows an earlier table, the nearest to `index` that there is; null for the present one. */
  #look(index: number | null): void {
    const state = this.#state;
    if (state === null || (index === null ? this.#replay === null : this.#frameCount() < 2)) return;
    const focused = this.#focusedStack();
    const before = this.#replay;
    const all = before?.frames ?? frames(state.history ?? []);
    if (index === null) this.#replay = null;
    else this.#replay = { frames: all, index: Math.max(0, Math.min(index, all.length - 1)) };
    if (before !== null && before.index === this.#replay?.index) return;
    this.#endDrag();
    this.#taken = null;
    this.#refusal = "";
    this.#hovered = null;
    const { index: now = -1 } = this.#replay ?? {};
    const frame = all[now];
    // One step glides; a leap over several moves is another table.
    const step = before !== null && frame !== undefined && Math.abs(now - before.index) === 1;
    const back = frame !== undefined && before === null && now === all.length - 2;
    this.#show(wantsStillness() || !(step || back));
    this.#draw();
    if (focused.had) this.#keepFocus(focused.id, null, state);
    const said = frame ? frameInWords(this.#words, state, frame, all[now - 1] ?? null) : this.#whatToDo();
    this.#announce([frame ? said : `${this.#words.back_to_table}. ${said}`]);
  }

  #toggleHelp(): void {
    const active = this.#table.active;
    this.#help = !this.#help;
    if (this.#help) this.#helpFrom = active;
    this.#draw();
    if (this.#help) this.#table.help.focus({ preventScroll: false });
    else {
      const from = this.#helpFrom;
      this.#helpFrom = null;
      const back =
        from?.isConnected && !from.matches("[hidden], :disabled") ? (from as HTMLElement) : this.#table.refuge;
      if (active === this.#table.help || this.#table.active === null) back.focus({ preventScroll: true });
    }
  }

  #ask(action: Asked): void {
    if ((action === "undo" || action === "redo") && this.#state?.can[action] === false) {
      // A key reaches what a button that is off does not.
      const why = action === "undo" ? "nothing_to_undo" : "nothing_to_redo";
      const error = this.#words.errors[this.#state.opponent?.thinking ? "wrong_phase" : why];
      this.#refusal = error({ mover: "", target: "" }, { code: "", params: {}, text: "" });
      this.#draw();
      this.#announce([this.#refusal]);
      return;
    }
    const bodies: { readonly [action in Asked]: RequestBody } = {
      choose_first: { kind: "choose", order: "first" },
      choose_second: { kind: "choose", order: "second" },
      place: { kind: "place" },
      next_round: { kind: "next_round" },
      undo: { kind: "undo" },
      redo: { kind: "redo" },
      new_match: { kind: "new_match" },
      record: { kind: "record" },
      hints: { kind: "hints", on: !Array.isArray(this.#state?.hints) },
      review: { kind: "review" },
    };
    this.#send(bodies[action], false);
  }

  #open(record: string | null): void {
    if (record !== null) {
      this.#send({ kind: "open", record }, false);
      return;
    }
    this.#refusal = this.#words.too_long;
    this.#draw();
    this.#announce([this.#refusal]);
  }

  /** Asks Python; shows a move at once if `show`, `from` where a hand has it. */
  #send(body: RequestBody, show: boolean, from: Point | null = null): void {
    const state = this.#state;
    if (state === null) return;
    if (this.#courier.pending !== null) return;
    this.#refusal = "";
    const outcome = this.#courier.ask(body, state.revision);
    if (outcome === "unreachable") {
      this.#announce([this.#words.unreachable]);
      if (body.kind === "move") this.#shake(body.mover);
    } else if (show && body.kind === "move" && this.#courier.pending !== null && this.#courier.line === "alive") {
      // Not before anybody has answered: a saved page must not pretend that it can be played at.
      this.#ahead = body;
      this.#taken = null;
      this.#show(wantsStillness(), from && place(this.#layout, from));
    }
    this.#draw();
  }

  #point(id: StackId | null): void {
    // What a hand carries points by itself.
    if (id === this.#hovered || this.#hand !== null) return;
    this.#hovered = this.#replay === null ? id : null;
    this.#table.drawScene(this.#picture());
  }

  /** Waiting has become trouble. */
  #waited(givenUp: Request | null): void {
    if (givenUp !== null && this.#ahead !== null && this.#state !== null) {
      this.#ahead = null;
      this.#show(wantsStillness());
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
    const past = this.#past();
    const { index = 0, frames: all = [] } = this.#replay ?? {};
    const here = state?.stacks.some((stack) => stack.id === this.#current) ? this.#current : null;
    return {
      state,
      words: this.#words,
      layout: this.#layout,
      scene: this.#motion.scene(),
      taken: this.#taken,
      hovered: this.#hovered,
      away: this.#ahead?.mover ?? null,
      hand: this.#hand,
      current: here ?? readingOrder(this.#layout, state?.stacks ?? [])[0] ?? null,
      past,
      replay: { able: this.#frameCount() > 1, back: index > 0, forward: index < all.length - 1 },
      help: this.#help,
      review: this.#review,
      language: this.#language,
      arrivals: this.#motion.arrivals,
      busy: this.#courier.pending !== null,
      line: this.#courier.line,
      status: past ? this.#words.looking(past.round, past.move, past.of) : this.#refusal || trouble || this.#whatToDo(),
      tone: past ? "past" : this.#refusal ? "refused" : trouble ? "trouble" : "plain",
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
    const name = nameOf(state, state.turn);
    switch (state.phase) {
      case "placing":
        return words.places(name, state.to_place);
      case "choosing":
        return choosing(words, state);
      case "playing": {
        if (state.opponent?.thinking) return words.thinking(isolated(state.opponent.name));
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
    const { active } = this.#table;
    const id = active?.getAttribute("data-stack") ?? null;
    return { had: active !== null, id: id === null ? null : Number(id) };
  }

  /** Focus stays on a stack, or goes where it was merged; from a button that is gone it goes to what is needed next. */
  #keepFocus(id: StackId | null, before: State | null, after: State): void {
    const { active } = this.#table;
    if (active !== null && !active.matches("[hidden], :disabled")) return;
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
