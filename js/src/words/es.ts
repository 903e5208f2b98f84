/** Español. Breve, amable y exacto; una pila se nombra por el símbolo de arriba, y quien juega puede ser cualquiera. */
import type { Message } from "../contract";
import { param, type Words } from "../words";

const SYMBOLS: { readonly [symbol: string]: string } = { S: "sol", M: "luna", T: "estrellas", C: "estrella fugaz" };
const WITH_ARTICLE: { readonly [name: string]: string } = {
  sol: "un sol",
  luna: "una luna",
  estrellas: "unas estrellas",
  "estrella fugaz": "una estrella fugaz",
};

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const count = (number: number, one: string, many: string) => `${number} ${number === 1 ? one : many}`;
const left = (number: number) => (number === 1 ? "queda 1" : `quedan ${number}`);
/** Lo que dijo Python; "" si no se sabe. */
const because = (message: Message) => (param(message, "error") ? `: ${param(message, "error")}` : "");
const reason = (single: boolean) =>
  single ? "solo queda una pila" : "todos los símbolos de arriba y todas las alturas son distintos";
const legal = (targets: number) =>
  targets === 0 ? "ningún destino válido" : count(targets, "destino válido", "destinos válidos");

export const es: Words = {
  play_first: "Jugar primero",
  play_second: "Jugar después",
  next_round: "Siguiente ronda",
  place: "Colocar un disco",
  new_match: "Nueva partida",
  undo: "Deshacer",
  redo: "Rehacer",

  game: "Soluna",
  table: "Mesa",
  actions: "Acciones",
  symbol: (symbol) => (Object.hasOwn(SYMBOLS, symbol) ? (SYMBOLS[symbol] ?? symbol) : symbol),
  stack: (top, height) => `${top}, altura ${height}`,
  round: (round, misere) => `Ronda ${round}${misere ? ", misère" : ""}`,
  stars_of: (name, stars, of) => `${name} tiene ${stars} de ${count(of, "estrella", "estrellas")}`,

  can_go_on: legal,
  is_taken: "en la mano",
  is_target: "destino válido",
  is_no_target: "no es un destino",
  stacks: "Pilas",
  times: (stack, times) => (times === 1 ? stack : `${times} veces ${stack}`),
  on_table: (stacks, listed) => `${count(stacks, "pila", "pilas")} en la mesa: ${listed}.`,

  help: "Ayuda",
  help_keys: [
    ["Ratón, dedo", "Pulsa una pila y luego aquella sobre la que va; o arrástrala hasta allí."],
    ["← ↑ ↓ →", "A la pila más cercana en esa dirección"],
    ["Inicio, Fin", "A la primera pila o a la última"],
    ["Intro, Espacio", "Tomar una pila, ponerla"],
    ["Esc", "Soltar, volver a la mesa, cerrar esta ayuda"],
    ["T, Mayús T", "Al siguiente destino válido, al anterior"],
    ["U, R", "Deshacer, rehacer"],
    [", .", "Una jugada atrás, una adelante, solo para mirar"],
    ["L", "Oír lo que hay en la mesa"],
    ["?", "Esta ayuda"],
  ],

  replay: "Repaso",
  replay_buttons: "Recorrer la partida",
  first_move: "Primera jugada",
  move_back: "Una jugada atrás",
  move_forward: "Una jugada adelante",
  last_move: "Última jugada",
  back_to_table: "Volver a la mesa",
  looking: (round, move, of) => `Estás viendo la ronda ${round}, jugada ${move} de ${of}.`,
  replay_ended: "La mesa ha cambiado: vuelves a verla.",

  open: "Abrir un registro",
  save: "Guardar el registro",
  opened: "La partida de ese registro está ahora en la mesa.",
  saved: (file) => `La partida hasta aquí se ha guardado como ${file}.`,
  too_long: "Ese archivo es demasiado largo para ser el registro de una partida.",

  hints: "Pistas",
  hints_on: "Pistas activadas: cada destino válido dice si la jugada gana.",
  hints_off: "Pistas desactivadas.",
  hint: (won, moves) => `${won ? "gana" : "pierde"} en ${moves}`,
  value: (grundy) => `valor ${grundy}`,
  review: "Análisis",
  review_start: (winner) => `Desde el principio podía ganar ${winner}.`,
  no_mistake: (winner) => `Desde el principio podía ganar ${winner}, y nadie dejó escapar la victoria.`,
  mistake: (name, played, better, reply) =>
    `${name} puso ${played.mover} sobre ${played.target} y dejó escapar la victoria: ${
      reply ? `la refuta ${reply.mover} sobre ${reply.target}` : "deja a su rival sin jugada"
    }. Era mejor ${better.mover} sobre ${better.target}.`,
  show_move: (move) => `Mostrar la jugada ${move}`,

  waiting_for_state: "Poniendo la mesa…",
  to_move: (name) => `Le toca a ${name}: toma una pila.`,
  to_begin: (name) => `Empieza ${name}: pon una pila sobre otra con el mismo símbolo arriba o la misma altura.`,
  holds: (name, stack, targets) =>
    targets === 0
      ? `${name} tiene en la mano ${stack}. Ahora no puede ir sobre ninguna otra pila.`
      : `${name} tiene en la mano ${stack}. Puede ir sobre ${count(targets, "pila", "pilas")}: mismo símbolo arriba o misma altura.`,
  thinking: (name) => `${name} está pensando…`,
  not_now: (name) => `Le toca a ${name}.`,
  choose_youngest: (name) => `${name}, por tener menos edad, elige: ¿jugar primero o después?`,
  choose_loser: (name) => `${name} perdió la ronda anterior y elige: ¿jugar primero o después?`,
  chooses: (name) => `${name} elige quién empieza…`,
  places: (name, number) => `${name} coloca un disco: ${left(number)}.`,
  round_over: ({ blocked, winner, misere, single }) =>
    misere
      ? `${capital(reason(single))}: ${blocked} no puede mover y por eso se lleva la estrella.`
      : `${blocked} no puede mover: ${reason(single)}. ${winner} se lleva una estrella.`,
  match_over: ({ blocked, single }, champion, stars, others) =>
    `${champion} gana la partida, ${count(stars, "estrella", "estrellas")} a ${others}. ${blocked} no puede mover: ${reason(single)}.`,

  busy: "Python está ocupado: la jugada espera su turno.",
  silent: "Nadie responde. Vuelve a ejecutar esta celda del cuaderno o inténtalo otra vez.",
  unreachable: "Python no responde. Vuelve a ejecutar esta celda del cuaderno.",
  no_kernel: "Python no responde: esta es la mesa tal como se guardó. Vuelve a ejecutar la celda para seguir jugando.",

  took: (stack, targets) => `${stack}, en la mano. ${capital(legal(targets))}.`,
  let_go: (stack) => `${stack}, de nuevo en la mesa.`,
  moved: (name, mover, target, result) => `${name} pone ${mover} sobre ${target}: ahora, ${result}.`,
  moved_back: (stack) => `Jugada deshecha: ${stack} vuelve a la mesa.`,
  placed: (symbol, number) =>
    `En la mesa hay ${(Object.hasOwn(WITH_ARTICLE, symbol) && WITH_ARTICLE[symbol]) || symbol} más; ${left(number)}.`,
  round_begins: (round, opener) => `Comienza la ronda ${round}.${opener ? ` Empieza ${opener}.` : ""}`,
  match_begins: (opener) => `Comienza una nueva partida.${opener ? ` Empieza ${opener}.` : ""}`,
  order_chosen: (opener) => `Empieza ${opener}.`,
  table_changed: (stacks) => `La mesa ha cambiado: ${count(stacks, "pila", "pilas")}.`,

  errors: {
    malformed: () => "No se entiende la petición. Nada ha cambiado.",
    stale: () => "La mesa ha cambiado entretanto: mírala de nuevo.",
    wrong_phase: () => "Eso no se puede hacer ahora.",
    computers_turn: (_, message) =>
      `Le toca ${param(message, "name") ? `a ${param(message, "name")}` : "al ordenador"}.`,
    no_such_stack: () => "Esa pila ya no está.",
    one_stack: () => "Una pila no puede ir sobre sí misma.",
    neither_agrees: ({ mover, target }) =>
      mover && target
        ? `${capital(mover)} no puede ir sobre ${target}: no coinciden ni el símbolo de arriba ni la altura.`
        : "",
    nothing_to_undo: () => "No hay nada que deshacer.",
    nothing_to_redo: () => "No hay nada que rehacer.",
    too_many: () => "Esta mesa tiene demasiadas posiciones para analizarlas al momento.",
    invalid_record: (_, { params: { line, round, ply } }) =>
      `Ese archivo no se puede abrir: mira la línea ${line}${round ? `, ronda ${round}, jugada ${ply}` : ""}.`,
    failed: (_, message) => `Eso falló en Python${because(message)}. Nada ha cambiado.`,
  },
  notices: {
    opponent_failed: (message) =>
      `${param(message, "name") || "El ordenador"} falló${because(message)}. Mueve en su lugar, deshaz o empieza otra partida.`,
    callback_failed: (message) => `Una función que observa la mesa falló${because(message)}. La partida sigue.`,
  },
};
