/**
 * The table's elements, drawn from a picture of everything: drawing the same picture twice changes nothing.
 *
 * Two layers lie over each other. What can be pressed and read (`data-stack` and so on) is `state`, exactly and at once.
 * What is seen is the scene, which may still be gliding towards it; it is hidden from assistive technology and carries no
 * data attributes.
 */
import { hintFor, hintInWords, type Reviewed, spokenLabel } from "./announcements";
import type { StackId, State } from "./contract";
import { html, n, order, say, set, svg } from "./dom";
import { drawDefs, drawPile, newPile, type Pile } from "./drawing";
import {
  along,
  type Box,
  backToFront,
  bend,
  box,
  type Layout,
  outline,
  type Point,
  place,
  reach,
  rise,
  trail,
} from "./geometry";
import type { Flight, Scene } from "./motion";
import type { Frame } from "./replay";
import { targets } from "./selection";
import { WON } from "./symbols";
import type { Words } from "./words";

/** What is asked of Python. */
export type Asked =
  | "choose_first"
  | "choose_second"
  | "place"
  | "next_round"
  | "undo"
  | "redo"
  | "new_match"
  | "record"
  | "hints"
  | "review";
/** What this screen does by itself. */
export type Own = "open" | "replay" | "first" | "back" | "forward" | "last" | "present" | "help";
export type Action = Asked | Own;

export interface Picture {
  readonly state: State | null;
  readonly words: Words;
  readonly layout: Layout;
  readonly scene: Scene;
  readonly taken: StackId | null;
  /** The pointer is over it, or the keyboard's focus is on it. */
  readonly hovered: StackId | null;
  /** A stack shown as moved before Python has confirmed it. */
  readonly away: StackId | null;
  /** The stack that a hand carries, and where in the drawing. */
  readonly hand: (Point & { readonly id: StackId }) | null;
  /** The stack that Tab leads to. */
  readonly current: StackId | null;
  /** An earlier table, shown instead of the present one; only the eye sees it. */
  readonly past: Frame | null;
  /** Whether there are earlier tables to show, and whether there are any before and after `past`. */
  readonly replay: { readonly able: boolean; readonly back: boolean; readonly forward: boolean };
  readonly help: boolean;
  /** What the review says, and of which moves; null where there is none. */
  readonly review: readonly [start: string, ...Reviewed[]] | null;
  /** The language of `words`. */
  readonly language: string;
  readonly arrivals: ReadonlySet<StackId>;
  readonly busy: boolean;
  /** Whether a kernel has answered. */
  readonly line: "asked" | "alive" | "none";
  readonly status: string;
  readonly tone: "plain" | "refused" | "trouble" | "past";
  /** Calm or less calm lines besides the status; "" for none. */
  readonly kernel: string;
  readonly notice: string;
}

const ACTIONS: readonly Action[] = [
  "undo",
  "redo",
  "new_match",
  "first",
  "back",
  "forward",
  "last",
  "present",
  "replay",
  "hints",
  "open",
  "record",
  "help",
  "choose_first",
  "choose_second",
  "place",
  "review",
  "next_round",
];
const PRIMARY: ReadonlySet<Action> = new Set(["choose_first", "choose_second", "place", "next_round", "present"]);

/** Triangles and bars as on any player, a folder, an arrow into a tray; the words are in the buttons' names. */
const ICONS: { readonly [action in Action]?: string } = {
  first: "M4 4V20M19 4L8 12L19 20Z",
  back: "M17 4L6 12L17 20Z",
  forward: "M7 4L18 12L7 20Z",
  last: "M20 4V20M5 4L16 12L5 20Z",
  open: "M3 20V5H9L11.5 8H20V11M3 20L7 11.5H22L18.5 20Z",
  record: "M12 3V14M7 9.5L12 14.5L17 9.5ZM3.5 15V20.5H20.5V15",
};

/** Through the match. */
const STEPS: ReadonlySet<Action> = new Set(["first", "back", "forward", "last"]);

let tables = 0;

export class Table {
  readonly root: HTMLElement;
  readonly svg: SVGSVGElement;
  readonly live: HTMLElement;
  readonly #prefix = `soluna-${++tables}`;
  readonly #players: readonly [PlayerLine, PlayerLine] = [new PlayerLine(0), new PlayerLine(1)];
  readonly #round = html("span", { class: "soluna-round" });
  readonly #ground = svg("g", { "aria-hidden": "true" });
  readonly #trail = svg("path", { class: "soluna-trail" });
  readonly #footprint = svg("ellipse", { class: "soluna-footprint" });
  readonly #piles = svg("g", { class: "soluna-piles", "aria-hidden": "true" });
  readonly #flights = svg("g", { class: "soluna-flights", "aria-hidden": "true" });
  readonly #hints = svg("g", { class: "soluna-hints", "aria-hidden": "true" });
  readonly #handles = svg("g", { class: "soluna-handles" });
  readonly #review = html("section", { class: "soluna-review" });
  #reviewed = "";
  readonly #status = html("p", { class: "soluna-status" });
  readonly #kernel = html("p", { class: "soluna-note" });
  readonly #notice = html("p", { class: "soluna-note soluna-warning" });
  readonly #bar = html("div", { class: "soluna-actions", role: "group" });
  readonly #buttons = new Map<Action, HTMLButtonElement>();
  readonly #drawn = new Map<StackId, Pile>();
  readonly #handle = new Map<StackId, SVGGElement>();
  readonly #keys = html("dl");
  readonly #helpTitle = html("h3");
  readonly #help = html("section", { class: "soluna-help", tabindex: -1 }, this.#helpTitle, this.#keys);
  #helpWords: Words | null = null;
  #surface = "";
  #lastTaken: StackId | null = null;

  constructor() {
    for (const action of ACTIONS) {
      const button = html("button", { type: "button", class: "soluna-button", name: action });
      button.classList.toggle("soluna-primary", PRIMARY.has(action));
      const icon = ICONS[action];
      if (icon !== undefined) button.append(picture("0 0 24 24", icon));
      this.#buttons.set(action, button);
      this.#bar.append(button);
    }
    this.live = html("div", { class: "soluna-live", "aria-live": "polite", "aria-atomic": "false" });
    this.svg = svg(
      "svg",
      { class: "soluna-table", role: "group" },
      drawDefs(this.#prefix),
      this.#ground,
      svg("g", { "aria-hidden": "true" }, this.#footprint, this.#trail),
      this.#piles,
      this.#flights,
      this.#hints,
      this.#handles,
    );
    const [left, right] = this.#players;
    this.root = html(
      "div",
      { class: "soluna", role: "group", tabindex: -1, dir: "ltr", "data-lm-suppress-shortcuts": "true" },
      html("div", { class: "soluna-head" }, left.line, this.#round, right.line),
      this.svg,
      html("div", { class: "soluna-words" }, this.#status, this.#notice, this.#kernel),
      this.#bar,
      this.#review,
      this.#help,
      this.live,
    );
  }

  /** The element of a stack, for focus. */
  handle(id: StackId): SVGGElement | null {
    return this.#handle.get(id) ?? null;
  }

  get help(): HTMLElement {
    return this.#help;
  }

  /** The element that has the focus, in a shadow tree too. */
  get active(): Element | null {
    const active = (this.root.getRootNode() as Document | ShadowRoot).activeElement;
    return active !== null && this.root.contains(active) ? active : null;
  }

  /** From the page's coordinates to the drawing's. */
  pointAt({ state, layout }: Picture, clientX: number, clientY: number): Point {
    if (state === null) return { x: 0, y: 0 };
    const view = box(state.table, layout.upright);
    const { left, top, width } = this.svg.getBoundingClientRect();
    const unit = width > 0 ? view.width / width : 1;
    return { x: view.x + (clientX - left) * unit, y: view.y + (clientY - top) * unit };
  }

  /** Where the focus goes when what had it is gone: the button one now needs, or a stack, or the table. */
  get refuge(): HTMLElement | SVGElement {
    const wanted = [...this.#buttons.values()].find(
      (button) => button.classList.contains("soluna-primary") && !button.hidden && !button.disabled,
    );
    return wanted ?? this.#handles.querySelector<SVGElement>('[tabindex="0"]') ?? this.root;
  }

  draw(picture: Picture): void {
    const { state, words, busy, past, line } = picture;
    set(this.root, {
      "aria-label": words.game,
      lang: picture.language,
      "data-replay": past && `${past.round}.${past.move}`,
      "data-phase": state?.phase,
      "data-turn": state?.turn,
      "data-revision": state?.revision,
      "data-serial": state?.serial,
      "data-busy": String(busy),
      "data-kernel": line,
    });
    set(this.svg, { "aria-label": words.table });
    set(this.#handles, { "aria-label": words.stacks });
    set(this.#bar, { "aria-label": past === null ? words.actions : words.replay_buttons });
    this.#drawHelp(picture);
    say(this.#status, picture.status);
    set(this.#status, { class: `soluna-status soluna-${picture.tone}` });
    say(this.#notice, picture.notice);
    say(this.#kernel, picture.kernel);
    this.#drawButtons(picture);
    if (state === null) return;
    for (const player of this.#players) player.draw(state, words, past);
    say(this.#round, words.round(past?.round ?? state.round, state.misere));
    this.#drawSurface(picture, state);
    this.#drawLast(picture, state);
    this.#drawHandles(picture, state);
    this.#drawHints(picture, state);
    this.#drawReview(picture);
    this.drawScene(picture);
  }

  /** Piles and flights only: what changes while something glides. */
  drawScene(picture: Picture): void {
    const { state, layout, scene, hand, past } = picture;
    if (state === null) return;
    const ended = past === null ? state.ended : past.ended;
    const look = { radius: state.table.radius, scale: layout.scale, prefix: this.#prefix };
    const moves = picture.taken !== null && picture.away === null ? targets(state, picture.taken) : null;
    const held = scene.piles.find((pile) => pile.id === picture.taken);
    const wanted = backToFront(layout, scene.piles).map((stack) => {
      let pile = this.#drawn.get(stack.id);
      if (pile === undefined) {
        pile = newPile();
        if (picture.arrivals.has(stack.id)) pile.group.classList.add("soluna-arrives");
        this.#drawn.set(stack.id, pile);
      }
      const taken = stack.id === picture.taken;
      const target = moves?.has(stack.id) ?? false;
      const hovered = stack.id === picture.hovered;
      const carried = stack.id === hand?.id;
      const at = carried ? hand : place(layout, stack);
      const landing = scene.flights.filter(({ movement: m }) => m.to.x === stack.x && m.to.y === stack.y);
      const count = Math.max(stack.discs.length, ...landing.map(({ movement }) => movement.to.count));
      const preview = hovered && target && held ? held.discs : [];
      drawPile(pile, { ...look, discs: stack.discs, count, preview });
      set(pile.group, { transform: `translate(${n(at.x)} ${n(at.y)})` });
      const flags = {
        "soluna-taken": taken,
        "soluna-target": target,
        "soluna-hovered": hovered && picture.state?.can.move === true,
        "soluna-dim": moves !== null && !taken && !target,
        "soluna-carried": carried,
        "soluna-differs": ended !== null && scene.flights.length === 0,
      };
      for (const [name, on] of Object.entries(flags)) pile.group.classList.toggle(name, on);
      return pile.group;
    });
    for (const [id, pile] of this.#drawn) {
      if (scene.piles.some((stack) => stack.id === id)) continue;
      pile.group.remove();
      this.#drawn.delete(id);
    }
    // What is taken lies on top, and stays pinned when it is let go, so that it is seen to sink.
    const front = picture.taken === null ? undefined : this.#drawn.get(picture.taken)?.group;
    const pinned = front ?? (this.#lastTaken === null ? undefined : this.#drawn.get(this.#lastTaken)?.group);
    this.#lastTaken = picture.taken ?? this.#lastTaken;
    if (front) wanted.push(...wanted.splice(wanted.indexOf(front), 1));
    order(this.#piles, wanted, pinned ?? null);
    this.#drawFlights(scene.flights, layout, look);
  }

  /** A stack that was carried goes back to its place. */
  putBack(id: StackId, from: Point, to: Point): void {
    const at = ({ x, y }: Point) => ({ transform: `translate(${n(x)}px, ${n(y)}px)` });
    this.#drawn.get(id)?.group.animate?.([at(from), at(to)], { duration: 170, easing: "ease-out" });
  }

  /** A short shake of the head. */
  shake(id: StackId): void {
    const pile = this.#drawn.get(id);
    const at = (x: number) => ({ transform: `translateX(${x}px)` });
    pile?.shaken.animate?.([at(0), at(-5), at(5), at(-3), at(2), at(0)], { duration: 260, easing: "ease-out" });
  }

  #drawFlights(
    flights: readonly Flight[],
    layout: Layout,
    look: { radius: number; scale: number; prefix: string },
  ): void {
    while (this.#flights.childElementCount > flights.length) this.#flights.lastElementChild?.remove();
    flights.forEach(({ movement: { discs, from, to }, progress, lift }, index) => {
      const r = look.radius;
      const [start, end] = [place(layout, from), place(layout, to)];
      const ground = along(start, bend(start, end), end, progress);
      const low = rise(from.level, from.count, r) * (1 - progress) + rise(to.level, to.count, r) * progress;
      const up = low + r * (0.55 * lift + 0.3 * (1 - progress));
      const pile = flightPile(this.#flights.children[index]) ?? newPile();
      drawPile(pile, { ...look, discs, level: to.level, count: to.count });
      set(pile.group, {
        class: "soluna-pile soluna-flight",
        transform: `translate(${n(ground.x)} ${n(ground.y - up)})`,
      });
      set(pile.shadow, { transform: `translate(${n(up * 0.25)} ${n(up)})` });
      if (pile.group.parentNode === null) {
        flying.set(pile.group, pile);
        this.#flights.append(pile.group);
      }
    });
  }

  #drawHandles({ layout, words, taken, away, current, past }: Picture, state: State): void {
    const r = state.table.radius;
    const able = past === null && state.phase === "playing" && state.can.move;
    let focused: Element | null = null;
    const active = this.active;
    const wanted = backToFront(layout, state.stacks).map((stack) => {
      let handle = this.#handle.get(stack.id);
      if (handle === undefined) {
        const parts = [svg("path", { class: "soluna-focus" }), svg("path", { class: "soluna-hit" })];
        handle = svg("g", { class: "soluna-handle", role: "button" }, ...parts);
        svg("g", { role: "listitem" }, handle);
        this.#handle.set(stack.id, handle);
      }
      const at = place(layout, stack);
      set(handle, {
        "data-stack": stack.id,
        "data-top": stack.discs.at(-1),
        "data-height": stack.discs.length,
        tabindex: stack.id === current ? 0 : -1,
        "aria-label": spokenLabel(words, state, stack, taken),
        "aria-pressed": String(stack.id === taken),
        "aria-disabled": String(!able),
        transform: `translate(${n(at.x)} ${n(at.y)})`,
      });
      handle.classList.toggle("soluna-away", stack.id === away);
      const [focus, hit] = handle.children;
      if (focus) set(focus, { d: outline(stack.discs.length, r, 9.5) });
      if (hit) set(hit, { d: outline(stack.discs.length, r, reach(r, layout.scale)) });
      const item = handle.parentElement ?? handle;
      if (handle === active) focused = item;
      return item;
    });
    for (const [id, handle] of this.#handle) {
      if (state.stacks.some((stack) => stack.id === id)) continue;
      handle.parentElement?.remove();
      this.#handle.delete(id);
    }
    // A list without items is none.
    set(this.#handles, { role: wanted.length > 0 ? "list" : "group" });
    order(this.#handles, wanted, focused);
  }

  /** Below each legal target of what is taken, whether the move wins. */
  #drawHints({ layout, words, taken, away, past, hand }: Picture, state: State): void {
    const shown = taken === null || away !== null || past !== null || hand !== null ? [] : state.stacks;
    const r = state.table.radius;
    const size = Math.max(12 / layout.scale, r * 0.3);
    const drawn = shown.flatMap((stack) => {
      const hint = taken === null ? null : hintFor(state, taken, stack.id);
      if (hint === null) return [];
      const at = place(layout, stack);
      const lines = hintInWords(words, hint);
      const width = Math.max(...lines.map((line) => line.length)) * size * 0.56 + size;
      const card = {
        x: n(-width / 2),
        y: n(r * 0.62),
        width: n(width),
        height: n(size * (1.2 * lines.length + 0.4)),
        rx: 5,
      };
      const texts = lines.map((line, i) => {
        const text = svg("text", { y: n(r * 0.62 + size * (1.15 + 1.2 * i)), "font-size": n(size) });
        text.textContent = line;
        return text;
      });
      const name = `soluna-hint ${hint.won ? "soluna-wins" : "soluna-loses"}`;
      return [svg("g", { class: name, transform: `translate(${n(at.x)} ${n(at.y)})` }, svg("rect", card), ...texts)];
    });
    this.#hints.replaceChildren(...drawn);
  }

  #drawReview({ review, words }: Picture): void {
    set(this.#review, { hidden: review === null, "aria-label": words.review });
    const key = JSON.stringify(review);
    // Made anew only where it differs: the button that was pressed keeps its focus.
    if (review === null || this.#reviewed === key) return;
    this.#reviewed = key;
    const [start, ...mistakes] = review;
    const items = mistakes.map(({ text, frame, show }) => {
      const button = html("button", { type: "button", class: "soluna-button", name: "look", value: frame }, show);
      return html("li", {}, `${text} `, button);
    });
    const list = items.length > 0 ? [html("ol", {}, ...items)] : [];
    this.#review.replaceChildren(html("h3", {}, words.review), html("p", {}, start), ...list);
  }

  #drawHelp({ help, words }: Picture): void {
    set(this.#help, { hidden: !help, "aria-label": words.help });
    if (this.#helpWords === words) return;
    this.#helpWords = words;
    this.#helpTitle.textContent = words.help;
    this.#keys.replaceChildren(
      ...words.help_keys.flatMap(([keys, meaning]) => [html("dt", {}, keys), html("dd", {}, meaning)]),
    );
  }

  #drawButtons({ state, words, past, replay, help }: Picture): void {
    const can = state?.can;
    const now = past === null;
    const phase = state?.phase;
    const settings: { readonly [action in Action]: readonly [label: string, shown: boolean, able: boolean] } = {
      undo: [words.undo, now, can?.undo ?? false],
      redo: [words.redo, now, can?.redo ?? false],
      new_match: [words.new_match, now, can?.new_match ?? false],
      first: [words.first_move, !now, replay.back],
      back: [words.move_back, !now, replay.back],
      forward: [words.move_forward, !now, replay.forward],
      last: [words.last_move, !now, replay.forward],
      present: [words.back_to_table, !now, true],
      replay: [words.replay, true, replay.able],
      hints: [words.hints, now, can?.hints ?? false],
      review: [words.review, now && (phase === "round_over" || phase === "match_over"), can?.review ?? false],
      open: [words.open, now, can?.new_match ?? false],
      record: [words.save, now, state !== null],
      help: [words.help, true, true],
      choose_first: [words.play_first, now && phase === "choosing", can?.choose ?? false],
      choose_second: [words.play_second, now && phase === "choosing", can?.choose ?? false],
      place: [words.place, now && phase === "placing", can?.place ?? false],
      next_round: [words.next_round, now && phase === "round_over", can?.next_round ?? false],
    };
    for (const [action, button] of this.#buttons) {
      const [label, shown, able] = settings[action];
      const pictured = ICONS[action] !== undefined;
      const text = action === "help" ? "?" : label;
      if (pictured || text !== label) set(button, { "aria-label": label, title: label });
      if (!pictured && button.textContent !== text) button.textContent = text;
      // A button that is held down to go through the match keeps the focus at either end.
      const step = STEPS.has(action);
      set(button, { hidden: !shown, disabled: !able && !step, "aria-disabled": step ? String(!able) : null });
    }
    set(this.#buttons.get("replay") ?? this.#bar, { "aria-pressed": String(!now) });
    set(this.#buttons.get("help") ?? this.#bar, { "aria-expanded": String(help) });
    set(this.#buttons.get("hints") ?? this.#bar, { "aria-pressed": String(Array.isArray(state?.hints)) });
    this.#buttons.get("new_match")?.classList.toggle("soluna-primary", phase === "match_over");
  }

  #drawLast({ layout, scene, past }: Picture, state: State): void {
    const { last, stacks } = past ?? state;
    const { table } = state;
    const target = last && stacks.find((stack) => stack.id === last.target);
    if (!last || !target || scene.flights.length > 0) {
      set(this.#trail, { d: null });
      set(this.#footprint, { rx: null, ry: null });
      return;
    }
    const [from, to] = [place(layout, last), place(layout, target)];
    set(this.#trail, { d: trail(from, to, table.radius) || null });
    const r = table.radius * 0.3;
    set(this.#footprint, { cx: n(from.x), cy: n(from.y), rx: n(r), ry: n(r * 0.84) });
  }

  #drawSurface({ layout, past }: Picture, { table, phase, turn, winner }: State): void {
    const view = box(table, layout.upright);
    const key = JSON.stringify(view);
    if (this.#surface !== key) {
      this.#surface = key;
      set(this.svg, { viewBox: `${view.x} ${view.y} ${view.width} ${view.height}` });
      this.#ground.replaceChildren(...surface(view, this.#prefix));
    }
    // The rim takes the side of whose turn it is; when a round is over nobody's; when the match is over the winner's.
    const present = phase === "match_over" ? winner : phase === "round_over" ? null : turn;
    const side = past === null ? present : past.ended === null ? past.turn : null;
    set(this.root, { class: rootClass(this.root, side, past === null && phase === "match_over") });
  }
}

const flying = new WeakMap<Element, Pile>();

function flightPile(element: Element | undefined): Pile | undefined {
  return element && flying.get(element);
}

/** The root's class without forgetting what others have put there, such as the theme. */
function rootClass(root: HTMLElement, side: 0 | 1 | null, won: boolean): string {
  const kept = [...root.classList].filter((name) => !/^soluna-(left|right|won)$/.test(name));
  if (side !== null) kept.push(side === 0 ? "soluna-left" : "soluna-right");
  if (won) kept.push("soluna-won");
  return kept.join(" ");
}

/** The table itself: cloth, orbits, a faint sky and the rim. */
function surface(view: Box, prefix: string): SVGElement[] {
  const rect = { x: view.x + 2, y: view.y + 2, width: view.width - 4, height: view.height - 4 };
  const corner = 26;
  const frame = { ...rect, rx: corner };
  const middle = { cx: n(view.x + view.width / 2), cy: n(view.y + view.height / 2) };
  const upright = view.height > view.width;
  const orbits = [0.2, 0.34, 0.48].map((k) =>
    svg("ellipse", {
      class: "soluna-orbit",
      ...middle,
      rx: n(view.width * k * (upright ? 0.94 : 0.96)),
      ry: n(view.height * k * (upright ? 0.96 : 0.9)),
    }),
  );
  // Low-discrepancy points: even, yet without a visible pattern.
  const spread = (i: number, a: number, b: number) => ({
    x: rect.x + 16 + ((i * a) % 1) * (rect.width - 32),
    y: rect.y + 16 + ((i * b) % 1) * (rect.height - 32),
  });
  const dots = Array.from({ length: 56 }, (_, i) => {
    const { x, y } = spread(i, 0.7548776662, 0.5698402909);
    return svg("circle", { cx: n(x), cy: n(y), r: n(0.6 + (i % 4) * 0.28) });
  });
  const sparks = Array.from({ length: 13 }, (_, i) => {
    const { x, y } = spread(i + 0.5, 1 / 13, 0.38196601125);
    const s = 3 + (i % 3);
    const arms = [`${n(x + s)} ${n(y)}`, `${n(x)} ${n(y + s)}`, `${n(x - s)} ${n(y)}`, `${n(x)} ${n(y - s)}`];
    const d = `M${n(x)} ${n(y - s)}${arms.map((arm) => `Q${n(x)} ${n(y)} ${arm}`).join("")}Z`;
    return svg("path", { class: "soluna-spark", d });
  });
  const [left, right] = [rect.x, rect.x + rect.width];
  const [top, bottom] = [rect.y, rect.y + rect.height];
  const arm = rect.width * 0.3;
  const side = (x: number, inwards: 1 | -1, name: string) => {
    const turn = inwards === 1 ? 0 : 1;
    const d = `M${n(x + inwards * arm)} ${n(top)}H${n(x + inwards * corner)}A${corner} ${corner} 0 0 ${turn} ${n(x)} ${n(top + corner)}V${n(bottom - corner)}A${corner} ${corner} 0 0 ${turn} ${n(x + inwards * corner)} ${n(bottom)}H${n(x + inwards * arm)}`;
    return svg("path", { class: `soluna-side-${name}`, d, stroke: `url(#${prefix}-${name})` });
  };
  return [
    svg("rect", { class: "soluna-felt", ...frame, fill: `url(#${prefix}-felt)` }),
    svg("g", { class: "soluna-orbits" }, ...orbits),
    svg("g", { class: "soluna-sky" }, ...dots, ...sparks),
    svg("rect", { class: "soluna-rim", ...frame }),
    side(left, 1, "left"),
    side(right, -1, "right"),
  ];
}

/** A small picture beside words that say the same: hidden from assistive technology, which would name each one "image". */
function picture(viewBox: string, d: string, name: string | null = null): SVGSVGElement {
  return svg("svg", { viewBox, class: name, "aria-hidden": "true" }, svg("path", { d }));
}

/** A name and the stars beside it. */
class PlayerLine {
  readonly line: HTMLElement;
  readonly #seat: 0 | 1;
  readonly #name = html("bdi", { class: "soluna-name" });
  readonly #stars = html("span", { class: "soluna-stars", role: "img" });

  constructor(seat: 0 | 1) {
    this.#seat = seat;
    this.line = html("div", { class: "soluna-player" }, this.#name, this.#stars);
  }

  draw(state: State, words: Words, past: Frame | null): void {
    const name = state.players[this.#seat];
    const won = (past ?? state).stars[this.#seat];
    if (this.#name.textContent !== name) this.#name.textContent = name;
    set(this.#name, { title: name });
    set(this.#stars, { "aria-label": words.stars_of(name, won, state.stars_to_win) });
    const present = state.phase === "match_over" ? state.winner : state.phase === "round_over" ? null : state.turn;
    const mine = this.#seat === (past === null ? present : past.ended === null ? past.turn : null);
    this.line.classList.toggle("soluna-acts", mine);
    const many = state.stars_to_win > 8;
    const shown = many ? 1 : Math.max(state.stars_to_win, won);
    while (this.#stars.childElementCount > shown) this.#stars.lastElementChild?.remove();
    while (this.#stars.childElementCount < shown) {
      this.#stars.append(picture("-50 -50 100 100", WON, "soluna-star"));
    }
    [...this.#stars.children].forEach((star, i) => {
      star.classList.toggle("soluna-full", many ? won > 0 : i < won);
    });
    set(this.#stars, { "data-count": many ? `${won}/${state.stars_to_win}` : null });
  }
}
