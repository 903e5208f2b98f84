/** English. Short, friendly, exact; the game's words are those of the rules. */
import type { Message } from "../contract";
import { param, type Words } from "../words";

const SYMBOLS: { readonly [symbol: string]: string } = { S: "sun", M: "moon", T: "stars", C: "comet" };

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
/** What Python raised, as a clause; "" where it is not known. */
const because = (message: Message) => (param(message, "error") ? `: ${param(message, "error")}` : "");
const reason = (single: boolean) => (single ? "one single stack is left" : "all tops and all heights differ");

export const en: Words = {
  play_first: "Play first",
  play_second: "Play second",
  next_round: "Next round",
  place: "Place a disc",
  new_match: "New match",
  undo: "Undo",
  redo: "Redo",

  game: "Soluna",
  table: "Table",
  actions: "Actions",
  symbol: (symbol) => (Object.hasOwn(SYMBOLS, symbol) ? (SYMBOLS[symbol] ?? symbol) : symbol),
  stack: (top, height) => `${top}, height ${height}`,
  round: (round, misere) => `Round ${round}${misere ? ", misère" : ""}`,
  stars_of: (name, stars, of) => `${name} has ${stars} of ${count(of, "star", "stars")}`,

  can_go_on: (targets) => (targets === 0 ? "no legal target" : count(targets, "legal target", "legal targets")),
  is_taken: "taken",
  is_target: "legal target",
  is_no_target: "not a target",
  stacks: "Stacks",
  times: (stack, times) => (times === 1 ? stack : `${times} times ${stack}`),
  on_table: (stacks, listed) => `${count(stacks, "stack", "stacks")} on the table: ${listed}.`,

  help: "Help",
  help_keys: [
    ["Mouse, finger", "Press a stack, then the one it goes on; or drag it there."],
    ["← ↑ ↓ →", "To the nearest stack that way"],
    ["Home, End", "To the first or the last stack"],
    ["Enter, Space", "Take a stack, put it down"],
    ["Esc", "Let go, back to the table, close this help"],
    ["T, Shift T", "To the next legal target, to the one before"],
    ["U, R", "Undo, redo"],
    [", .", "One move back, one move forward, to look only"],
    ["L", "Hear what lies on the table"],
    ["?", "This help"],
  ],

  replay: "Replay",
  replay_buttons: "Through the match",
  first_move: "First move",
  move_back: "One move back",
  move_forward: "One move forward",
  last_move: "Last move",
  back_to_table: "Back to the table",
  looking: (round, move, of) => `You are looking at round ${round}, move ${move} of ${of}.`,
  replay_ended: "The table has changed: you are back at it.",

  open: "Open a record",
  save: "Save the record",
  opened: "The match of that record lies on the table now.",
  saved: (file) => `The match so far is saved as ${file}.`,
  too_long: "That file is too long to be the record of a match.",

  hints: "Hints",
  hints_on: "Hints are on: each legal target says whether the move wins.",
  hints_off: "Hints are off.",
  hint: (won, moves) => `${won ? "wins" : "loses"} in ${moves}`,
  value: (grundy) => `value ${grundy}`,
  review: "Review",
  review_start: (winner) => `From the start ${winner} could win.`,
  no_mistake: (winner) => `From the start ${winner} could win, and nobody gave a win away.`,
  mistake: (name, played, better, reply) =>
    `${name} put ${played.mover} on ${played.target} and gave the win away: ${
      reply ? `${reply.mover} on ${reply.target} refutes it` : "it leaves the other player without a move"
    }. Better was ${better.mover} on ${better.target}.`,
  show_move: (move) => `Show move ${move}`,

  waiting_for_state: "Setting the table…",
  to_move: (name) => `${name} is to move: take a stack.`,
  to_begin: (name) => `${name} moves first: put a stack on another with the same top or the same height.`,
  holds: (name, stack, targets) =>
    targets === 0
      ? `${name} holds ${stack}. It can go on no other stack now.`
      : `${name} holds ${stack}. It can go on ${count(targets, "stack", "stacks")}: same top or same height.`,
  thinking: (name) => `${name} is thinking…`,
  not_now: (name) => `It is ${name}’s turn.`,
  choose_youngest: (name) => `${name} is the youngest and chooses: play first or second?`,
  choose_loser: (name) => `${name} lost the last round and chooses: play first or second?`,
  chooses: (name) => `${name} chooses who plays first…`,
  places: (name, left) => `${name} places a disc: ${left} left.`,
  round_over: ({ blocked, winner, misere, single }) => {
    const why = reason(single);
    return misere
      ? `${capital(why)}: ${blocked} cannot move and so takes the star.`
      : `${blocked} cannot move: ${why}. ${winner} takes a star.`;
  },
  match_over: ({ blocked, single }, champion, stars, others) =>
    `${champion} wins the match, ${count(stars, "star", "stars")} to ${others}. ${blocked} cannot move: ${reason(single)}.`,

  busy: "The kernel is busy: the move waits for its turn.",
  silent: "Nobody answers. Run this notebook’s cell again, or try once more.",
  unreachable: "No kernel answers. Run this notebook’s cell again.",
  no_kernel: "No kernel answers: this is the table as it was saved. Run the cell again to play on.",

  took: (stack, targets) =>
    `${stack} taken. ${targets === 0 ? "No legal target" : count(targets, "legal target", "legal targets")}.`,
  let_go: (stack) => `${stack} let go.`,
  moved: (name, mover, target, result) => `${name} puts ${mover} on ${target}: now ${result}.`,
  moved_back: (stack) => `Taken back: ${stack} lies on the table again.`,
  placed: (symbol, left) => `${capital(symbol)} placed, ${left} left.`,
  round_begins: (round, opener) =>
    opener ? `Round ${round} begins. ${opener} moves first.` : `Round ${round} begins.`,
  match_begins: (opener) => (opener ? `A new match begins. ${opener} moves first.` : "A new match begins."),
  order_chosen: (opener) => `${opener} moves first.`,
  table_changed: (stacks) => `The table has changed: ${count(stacks, "stack", "stacks")}.`,

  errors: {
    malformed: () => "That request could not be read. Nothing has changed.",
    stale: () => "The table has changed in the meantime: look again.",
    wrong_phase: () => "That is not possible now.",
    computers_turn: (_, message) => `It is ${param(message, "name") || "the computer"}’s turn.`,
    no_such_stack: () => "That stack is no longer there.",
    one_stack: () => "A stack cannot go on itself.",
    neither_agrees: ({ mover, target }) =>
      mover && target ? `${capital(mover)} cannot go on ${target}: neither tops nor heights agree.` : "",
    nothing_to_undo: () => "There is nothing to undo.",
    nothing_to_redo: () => "There is nothing to redo.",
    too_many: () => "This table has too many positions to be solved while you wait.",
    invalid_record: (_, { text }) => `That file cannot be opened. ${capital(text)}.`,
    failed: (_, message) => `That failed in Python${because(message)}. Nothing has changed.`,
  },
  notices: {
    opponent_failed: (message) =>
      `${param(message, "name") || "The computer"} failed${because(message)}. Move for it, undo, or begin a new match.`,
    callback_failed: (message) => `A function that watches the table failed${because(message)}. The match goes on.`,
  },
};
