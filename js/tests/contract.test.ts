/**
 * The wire, seen from the browser: what Python really publishes (tests/fixtures/wire/, made and checked there too) is what
 * contract.ts says, can be drawn, and what the table sends is what Python is tested with.
 *
 * The checkers are typed by the contract's own keys: a key missing here does not compile, one missing there fails.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { TWELVE, table } from "../dev/kernel";
import { scenes } from "../dev/scenes";
import type {
  Answer,
  Can,
  Hint,
  LastMove,
  Message,
  Mistake,
  Opponent,
  Request,
  RequestBody,
  Review,
  RoundEnd,
  RoundHistory,
  StackState,
  State,
  TableSize,
} from "../src/contract";
import { expected, land, open } from "./opened";

type Check = (value: unknown) => string[];
type Shape<T> = { readonly [key in keyof T]-?: Check };

const fail = (value: unknown, what: string) => [`${JSON.stringify(value)} is not ${what}`];
const when =
  (what: string, test: (value: unknown) => boolean): Check =>
  (value) =>
    test(value) ? [] : fail(value, what);
const text = when("text", (value) => typeof value === "string");
const truth = when("true or false", (value) => typeof value === "boolean");
const number = when("a number", (value) => typeof value === "number" && Number.isFinite(value));
const whole = when("a whole number from 0", (value) => Number.isInteger(value) && (value as number) >= 0);
const oneOf = (...all: readonly unknown[]): Check => when(`one of ${all.join(", ")}`, (value) => all.includes(value));
const seat = oneOf(0, 1);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? [] : check(value);
const list =
  (check: Check, length?: number): Check =>
  (value) =>
    Array.isArray(value) && (length === undefined || value.length === length)
      ? value.flatMap(check)
      : fail(value, `a list${length === undefined ? "" : ` of ${length}`}`);
const shape =
  <T>(checks: Shape<T>): Check =>
  (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return fail(value, "an object");
    const keys = new Set([...Object.keys(checks), ...Object.keys(value)]);
    return [...keys].flatMap((key) => {
      if (!Object.hasOwn(value, key)) return [`${key} is missing`];
      if (!Object.hasOwn(checks, key)) return [`${key} is unknown`];
      const found = checks[key as keyof T]((value as { [key: string]: unknown })[key]);
      return found.map((fault) => `${key}: ${fault}`);
    });
  };

const message = shape<Message>({
  code: text,
  params: when("an object", (value) => typeof value === "object" && value !== null && !Array.isArray(value)),
  text: when("words", (value) => typeof value === "string" && value !== ""),
});

const stackState = shape<StackState>({
  id: whole,
  discs: list(when("a capital letter", (value) => typeof value === "string" && /^[A-Z]$/.test(value))),
  x: number,
  y: number,
});
const roundEnd = shape<RoundEnd>({ blocked: seat, winner: seat });

const isState = shape<State>({
  serial: whole,
  revision: whole,
  rulebook: text,
  misere: truth,
  phase: oneOf("placing", "choosing", "playing", "round_over", "match_over"),
  turn: seat,
  players: list(text, 2),
  stars: list(whole, 2),
  stars_to_win: whole,
  round: whole,
  opener: orNull(seat),
  winner: orNull(seat),
  table: shape<TableSize>({ width: number, height: number, radius: number }),
  stacks: list(stackState),
  moves: list(list(whole, 2)),
  last: orNull(shape<LastMove>({ mover: whole, target: whole, x: number, y: number, height: whole, by: seat })),
  ended: orNull(roundEnd),
  to_place: whole,
  can: shape<Can>({
    move: truth,
    choose: truth,
    place: truth,
    next_round: truth,
    new_match: truth,
    undo: truth,
    redo: truth,
    hints: truth,
    review: truth,
  }),
  opponent: orNull(shape<Opponent>({ seat, name: text, thinking: truth })),
  answer: orNull(shape<Answer>({ id: orNull(text), error: orNull(message) })),
  notice: orNull(message),
  language: orNull(text),
  history: list(
    shape<RoundHistory>({
      round: whole,
      stars: list(whole, 2),
      opener: orNull(seat),
      stacks: list(stackState),
      moves: list(list(whole, 2)),
      ended: orNull(roundEnd),
    }),
  ),
  record: orNull(text),
  hints: orNull(list(shape<Hint>({ mover: whole, target: whole, won: truth, moves: whole, grundy: orNull(whole) }))),
  review: orNull(
    shape<Review>({
      round: whole,
      winner: seat,
      mistakes: list(shape<Mistake>({ move: whole, by: seat, better: list(whole, 2), reply: orNull(list(whole, 2)) })),
    }),
  ),
});

type Body<K extends RequestBody["kind"]> = Extract<RequestBody, { readonly kind: K }> & {
  id: string;
  revision: number;
};
const label = { id: text, revision: whole };
const requests: { readonly [kind in RequestBody["kind"]]: Check } = {
  move: shape<Body<"move">>({ ...label, kind: oneOf("move"), mover: whole, target: whole }),
  choose: shape<Body<"choose">>({ ...label, kind: oneOf("choose"), order: oneOf("first", "second") }),
  place: shape<Body<"place">>({ ...label, kind: oneOf("place") }),
  next_round: shape<Body<"next_round">>({ ...label, kind: oneOf("next_round") }),
  new_match: shape<Body<"new_match">>({ ...label, kind: oneOf("new_match") }),
  undo: shape<Body<"undo">>({ ...label, kind: oneOf("undo") }),
  redo: shape<Body<"redo">>({ ...label, kind: oneOf("redo") }),
  record: shape<Body<"record">>({ ...label, kind: oneOf("record") }),
  hints: shape<Body<"hints">>({ ...label, kind: oneOf("hints"), on: truth }),
  review: shape<Body<"review">>({ ...label, kind: oneOf("review") }),
  open: shape<Body<"open">>({ ...label, kind: oneOf("open"), record: text }),
  hello: shape<Body<"hello">>({ ...label, kind: oneOf("hello") }),
};

/** A state in which everything may be asked for. */
function everything(): Can {
  const { can } = table(TWELVE);
  return Object.fromEntries(Object.keys(can).map((name) => [name, true])) as unknown as Can;
}

const wire = join(import.meta.dirname, "../../tests/fixtures/wire");
const read = (path: string): unknown => JSON.parse(readFileSync(join(wire, path), "utf8"));
const names = readdirSync(join(wire, "states")).filter((name) => name.endsWith(".json"));

afterEach(() => {
  document.body.replaceChildren();
  vi.useRealTimers();
});

describe("what Python publishes", () => {
  it("is there to be checked", () => {
    expect(names.length).toBeGreaterThan(10);
  });

  it.each(names)("is what the contract says: %s", (name) => {
    expect(isState(read(`states/${name}`))).toEqual([]);
  });

  it.each(names)("can be drawn: %s", (name) => {
    vi.useFakeTimers();
    const state = read(`states/${name}`) as State;
    const { root, el, seen, status, close } = open(state);
    land();
    expect(root.dataset).toMatchObject({ phase: state.phase, serial: String(state.serial) });
    expect(seen()).toEqual(expected(state));
    expect(el.querySelectorAll("[data-stack]")).toHaveLength(state.stacks.length);
    expect(status()).not.toMatch(/^$|undefined|null|NaN/);
    close();
  });
});

describe("what the browser sends", () => {
  const known = read("requests.json") as Request[];

  it("is known to Python, every kind of it", () => {
    expect(new Set(known.map((request) => request.kind))).toEqual(new Set(Object.keys(requests)));
  });

  it.each(known)("has the shape that Python is tested with: $kind", (request) => {
    expect(requests[request.kind](request)).toEqual([]);
  });

  it("is really of these shapes", () => {
    vi.useFakeTimers();
    const all = everything();
    const sent: Request[] = [];
    for (const action of [
      "choose_first",
      "choose_second",
      "place",
      "next_round",
      "undo",
      "redo",
      "new_match",
      "record",
      "hints",
      "review",
    ]) {
      const { kernel, el } = open({ ...(scenes.start as State), can: all });
      el.querySelector<HTMLButtonElement>(`button[name=${action}]`)?.click();
      sent.push(...kernel.requests);
    }
    const { kernel, click } = open(scenes.start);
    click(0);
    click(1);
    sent.push(...kernel.requests);
    // A file that is chosen: see files.test.ts.
    sent.push({ kind: "open", record: "", id: "x", revision: 0 });
    expect(new Set(sent.map((request) => request.kind))).toEqual(new Set(Object.keys(requests)));
    for (const request of sent) expect(requests[request.kind](request)).toEqual([]);
  });
});

describe("the checker", () => {
  const good = JSON.parse(JSON.stringify(scenes.middle)) as { [key: string]: unknown };

  it.each([
    ["an unknown key", { ...good, colour: 1 }],
    ["a missing key", Object.fromEntries(Object.entries(good).filter(([key]) => key !== "notice"))],
    ["a wrong type", { ...good, turn: null }],
    ["a wrong part", { ...good, can: { move: true } }],
    ["a short pair", { ...good, players: ["Sol"] }],
    ["no object", null],
  ])("finds %s", (_, state) => {
    expect(isState(good)).toEqual([]);
    expect(isState(state).length).toBeGreaterThan(0);
  });
});
