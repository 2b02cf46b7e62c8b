/** Preferences of the Play page, kept in the browser: the last choices are the next defaults. */

import { readSpec } from "./specs.js";

const KEY = "ludus.play";

/** Options of a first game: small boards. @type {Record<string, Record<string, string>>} */
const FIRST_OPTIONS = { go: { size: "9" } };

/**
 * @typedef {"first" | "second" | "random" | "watch"} Seating who moves first: the user, the opponent, one of them by chance; or the user only watches
 * @typedef {object} GamePreferences
 * @property {Record<string, string>} options
 * @property {string} opponent "" for a human opponent at the same board
 * @property {Record<string, Record<string, string>>} settings options by opponent
 * @typedef {object} Preferences
 * @property {string} game
 * @property {Record<string, GamePreferences>} games
 * @property {Seating} seating
 * @property {string} rival the player of the other side if the user only watches
 * @property {string} clock "" or "seconds+increment"
 * @property {number} thinking milliseconds a move, without a clock
 */

/**
 * @param {Ludus.GameCard[]} games
 * @returns {Preferences}
 */
export function loadPreferences(games) {
  const kept = read();
  const known = games.some((game) => game.id === kept.game);
  const fallback = games.find((game) => game.id === "draughts") ?? games[0];
  return {
    game: known && kept.game ? kept.game : fallback.id,
    games: Object.fromEntries(games.flatMap((game) => checkedPreferences(kept.games?.[game.id], game))),
    seating: kept.seating ?? "first",
    rival: kept.rival ?? "",
    clock: kept.clock ?? "",
    thinking: kept.thinking ?? 1000,
  };
}

/**
 * The stored preferences of a game, without options that no longer exist.
 * @param {Partial<GamePreferences> | undefined} kept
 * @param {Ludus.GameCard} game
 * @returns {[string, GamePreferences][]}
 */
function checkedPreferences(kept, game) {
  if (typeof kept?.opponent !== "string") return [];
  const settings = game.players.flatMap(({ id, options }) => {
    const own = kept.settings?.[id];
    return own ? [[id, checkOptions(own, options).known]] : [];
  });
  const options = checkOptions(kept.options ?? {}, game.options).known;
  return [[game.id, { options, opponent: kept.opponent, settings: Object.fromEntries(settings) }]];
}

/**
 * Splits options into those that exist and the others, in words.
 * @param {Record<string, string>} wanted
 * @param {Ludus.OptionView[]} specs
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
 * @param {Ludus.OptionView} spec
 */
function isPossible(value, { kind, choices, min, max, default: usual }) {
  if (value === usual) return true;
  if (kind === "choice") return choices?.includes(value) ?? true;
  if (kind === "switch") return value === "on" || value === "off";
  if (kind !== "integer" && kind !== "number") return true;
  const number = Number(value);
  return (
    value !== "" &&
    number >= (min ?? -Infinity) &&
    number <= (max ?? Infinity) &&
    (kind === "number" || Number.isInteger(number))
  );
}

/** @returns {Partial<Preferences>} */
function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/** @param {Preferences} preferences */
export function savePreferences(preferences) {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // Without storage the next visit starts from the defaults.
  }
}

/**
 * The preferences for one game; by default those that the server suggests.
 * @param {Preferences} preferences
 * @param {Ludus.GameCard} game
 * @returns {GamePreferences}
 */
export function preferencesFor(preferences, game) {
  const kept = preferences.games[game.id];
  if (kept && (kept.opponent === "" || game.players.some((player) => player.id === kept.opponent))) return kept;
  const { id, options } = readSpec(game.suggested);
  const fresh = { options: { ...FIRST_OPTIONS[game.id] }, opponent: id, settings: { [id]: options } };
  preferences.games[game.id] = fresh;
  return fresh;
}

/**
 * The clock chosen last time.
 * @returns {Ludus.TimeControl | undefined}
 */
export function preferredClock() {
  return readClock(read().clock ?? "");
}

/**
 * @param {string} clock "" or "seconds+increment"
 * @returns {Ludus.TimeControl | undefined}
 */
export function readClock(clock) {
  const [seconds, increment] = clock.split("+").map(Number);
  return seconds > 0 ? { seconds, increment } : undefined;
}
