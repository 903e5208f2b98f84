/** Tables worth looking at, by name: the dev page shows one with `?scene=name`. */
import type { State } from "../src/contract";
import { play, TWELVE, table } from "./kernel";

const still = { ...table(TWELVE).can, move: false, undo: true };

function played(state: State, ...moves: readonly (readonly [number, number])[]): State {
  return moves.reduce((now, [mover, target]) => play(now, mover, target) ?? now, state);
}

const four = ["SCMTS", "CM", "MSTC", "T"];

export const scenes: { readonly [name: string]: State } = {
  start: table(TWELVE),
  middle: played(
    table(TWELVE, { stars: [2, 1], round: 4, can: { ...still, move: true, redo: false } }),
    [0, 1],
    [5, 10],
    [2, 7],
    [10, 0],
  ),
  piles: table({ stacks: ["S", "MS", "TMSCC", "SMTCSMTCSMTC", "CMT", "SMTC", "SMTCSMTM"] }),
  thinking: {
    ...played(table(TWELVE), [0, 1]),
    players: ["Maximiliane von und zu <b>Hohenstein</b> & Söhne", "Random player"],
    can: { ...still },
    opponent: { seat: 1, name: "Random player", thinking: true },
  },
  round_over: table(
    { stacks: four },
    {
      phase: "round_over",
      turn: 1,
      ended: { blocked: 1, winner: 0 },
      stars: [3, 1],
      round: 4,
      can: { ...still, next_round: true, review: true },
    },
  ),
  match_over: table(
    { stacks: four },
    {
      phase: "match_over",
      turn: 1,
      ended: { blocked: 1, winner: 0 },
      winner: 0,
      stars: [4, 2],
      round: 6,
      can: { ...still },
    },
  ),
  choosing: table(TWELVE, {
    phase: "choosing",
    turn: 1,
    opener: null,
    round: 2,
    stars: [1, 0],
    can: { ...still, choose: true },
  }),
  placing: table(
    { stacks: ["S", "M", "T", "C", "S"] },
    { phase: "placing", turn: 1, to_place: 7, can: { ...still, place: true }, moves: [] },
  ),
  many: table({ stacks: [..."SMTCSMTCSMTCSMTCSMTCSMTCSMTC"], radius: 28 }),
  letters: table({ stacks: [..."ABDEFGHIJKLZ"] }),
  notice: table(TWELVE, {
    notice: {
      code: "opponent_failed",
      params: { name: "Random player", error: "ZeroDivisionError: division by zero" },
      text: "",
    },
  }),
};
