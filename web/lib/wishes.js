/** What a player wanted last time, kept in the browser: the next game starts from it. */

import { readSpec } from "./api.js";

const KEY = "ludus.play";

/** Small boards for a first game. @type {Record<string, Record<string, string>>} */
const FRIENDLY = { go: { size: "9" } };

/**
 * @typedef {"first" | "second" | "random" | "watch"} Seating who moves first: the person, the opponent, chance; or nobody plays
 * @typedef {object} GameWishes
 * @property {Record<string, string>} options
 * @property {string} opponent "" for a friend at the same board
 * @property {Record<string, Record<string, string>>} settings of every opponent
 * @typedef {object} Wishes
 * @property {string} game
 * @property {Record<string, GameWishes>} games
 * @property {Seating} seating
 * @property {string} rival who plays the other side if the person only watches
 * @property {string} clock "" or "seconds+increment"
 * @property {number} thinking milliseconds a move without a clock
 */

/**
 * @param {Ludus.GameInfo[]} games
 * @returns {Wishes}
 */
export function readWishes(games) {
  const kept = read();
  const known = games.some((game) => game.id === kept.game);
  const fallback = games.find((game) => game.id === "draughts") ?? games[0];
  return {
    game: known && kept.game ? kept.game : fallback.id,
    games: Object.fromEntries(games.flatMap((game) => checkedWishes(kept.games?.[game.id], game))),
    seating: kept.seating ?? "first",
    rival: kept.rival ?? "",
    clock: kept.clock ?? "",
    thinking: kept.thinking ?? 1000,
  };
}

/**
 * What was kept for a game, without options that it or its players no longer have.
 * @param {Partial<GameWishes> | undefined} kept
 * @param {Ludus.GameInfo} game
 * @returns {[string, GameWishes][]}
 */
function checkedWishes(kept, game) {
  if (typeof kept?.opponent !== "string") return [];
  const settings = game.players.flatMap(({ id, options }) => {
    const own = kept.settings?.[id];
    return own ? [[id, checkOptions(own, options).known]] : [];
  });
  const options = checkOptions(kept.options ?? {}, game.options).known;
  return [[game.id, { options, opponent: kept.opponent, settings: Object.fromEntries(settings) }]];
}

/**
 * Parts what was asked for into the options there are and, in words, all else.
 * @param {Record<string, string>} wanted
 * @param {Ludus.OptionSpec[]} specs
 */
export function checkOptions(wanted, specs) {
  /** @type {Record<string, string>} */
  const known = {};
  /** @type {string[]} */
  const unknown = [];
  for (const [name, value] of Object.entries(wanted)) {
    const spec = specs.find((entry) => entry.name === name);
    if (spec && isPossible(value, spec)) known[name] = value;
    else unknown.push(`${name}=${value}`);
  }
  return { known, unknown };
}

/**
 * @param {string} value
 * @param {Ludus.OptionSpec} spec
 */
function isPossible(value, { kind, choices, min, max, default: usual }) {
  if (value === usual) return true;
  if (kind === "choice") return choices?.includes(value) ?? true;
  if (kind === "switch") return value === "on" || value === "off";
  if (kind !== "integer" && kind !== "number") return true;
  const number = Number(value);
  return value !== "" && number >= (min ?? -Infinity) && number <= (max ?? Infinity) && (kind === "number" || Number.isInteger(number));
}

/** @returns {Partial<Wishes>} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/** @param {Wishes} wishes */
export function keepWishes(wishes) {
  try {
    localStorage.setItem(KEY, JSON.stringify(wishes));
  } catch {
    // The next visit starts from the defaults then.
  }
}

/**
 * The wishes for one game, begun with what the server suggests.
 * @param {Wishes} wishes
 * @param {Ludus.GameInfo} game
 * @returns {GameWishes}
 */
export function wishesFor(wishes, game) {
  const kept = wishes.games[game.id];
  if (kept && (kept.opponent === "" || game.players.some((player) => player.id === kept.opponent))) return kept;
  const { id, options } = readSpec(game.suggested);
  return wishes.games[game.id] = { options: { ...FRIENDLY[game.id] }, opponent: id, settings: { [id]: options } };
}

/**
 * The clock chosen last.
 * @returns {Ludus.Clock | undefined}
 */
export function wantedClock() {
  return readClock(read().clock ?? "");
}

/**
 * @param {string} clock "" or "seconds+increment"
 * @returns {Ludus.Clock | undefined}
 */
export function readClock(clock) {
  const [seconds, increment] = clock.split("+").map(Number);
  return seconds > 0 ? { seconds, increment } : undefined;
}
