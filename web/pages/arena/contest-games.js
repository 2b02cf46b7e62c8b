/** The games of a contest, a page at a time, each a click away from its analysis. */

import { get } from "../../lib/api.js";
import { el, replace, setText, showError, table } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { playerLabel } from "../../lib/labels.js";

const RESULTS = { first: "1–0", second: "0–1", draw: "½–½", "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½" };
const COLUMN_CLASSES = /** @type {Record<string, string>} */ ({
  "#": "number",
  Result: "contest-result",
  Plies: "number",
});
const RELOAD_INTERVAL_MS = 2000;
/** Games per page, as on the server. */
const PAGE_SIZE = 100;

/** @param {string} result */
function resultText(result) {
  return RESULTS[/** @type {keyof typeof RESULTS} */ (result)] ?? result;
}

export class ContestGames {
  #id;
  #offset = 0;
  #done = 0;
  #asked = 0;
  #stopped = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #body = el("tbody", {});
  #range = el("span", { class: "muted small number" });
  #previous = el(
    "button",
    { class: "button quiet icon", type: "button", "aria-label": "Earlier games", onclick: () => this.#turn(-1) },
    icon("back"),
  );
  #next = el(
    "button",
    { class: "button quiet icon", type: "button", "aria-label": "Later games", onclick: () => this.#turn(1) },
    icon("forward"),
  );
  #table = table(
    ["#", "First", "Result", "Second", "How", "Plies", ""].map((name) => [name, COLUMN_CLASSES[name] ?? ""]),
    this.#body,
    "contest-games",
  );
  #empty = el("div", { class: "empty" }, icon("board"), el("p", {}, "Finished games appear here."));
  element = el(
    "section",
    { class: "card contest-games-card" },
    el(
      "div",
      { class: "row spread" },
      el("h2", { class: "card-title" }, "Games"),
      el("div", { class: "row nowrap" }, this.#range, this.#previous, this.#next),
    ),
    this.#empty,
    this.#table,
  );

  /** @param {string} id */
  constructor(id) {
    this.#id = id;
    this.#table.hidden = true;
    this.#paintRange(0);
  }

  /**
   * Sets the number of games; the page shown is reloaded if it may have grown.
   * @param {number} done
   */
  update(done) {
    const grown = done !== this.#done;
    this.#done = done;
    if (!grown && this.#asked > 0) return;
    if (this.#body.childElementCount >= PAGE_SIZE) this.#paintRange(this.#body.childElementCount);
    else this.#soon();
  }

  stop() {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #soon() {
    if (this.#timer !== undefined || this.#stopped) return;
    const wait = Math.max(0, this.#asked + RELOAD_INTERVAL_MS - Date.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#read().catch(showError);
    }, wait);
  }

  /** @param {-1 | 1} pages */
  #turn(pages) {
    this.#offset = Math.max(0, this.#offset + pages * PAGE_SIZE);
    this.#read().catch(showError);
  }

  async #read() {
    const offset = this.#offset;
    this.#asked = Date.now();
    const { games } = /** @type {{ games: Ludus.ContestGameSummary[] }} */ (
      await get(`/contests/${encodeURIComponent(this.#id)}/games?offset=${offset}`)
    );
    if (offset !== this.#offset) return;
    replace(
      this.#body,
      games.map((game, index) => row(game, offset + index + 1)),
    );
    this.#table.hidden = games.length === 0;
    this.#empty.hidden = games.length > 0;
    this.#paintRange(games.length);
    // Games are stored in batches: they may be counted before they can be read.
    if (games.length < PAGE_SIZE && offset + games.length < this.#done) this.#soon();
  }

  /** @param {number} shown */
  #paintRange(shown) {
    setText(
      this.#range,
      shown > 0 ? `${this.#offset + 1}–${this.#offset + shown} of ${Math.max(this.#done, this.#offset + shown)}` : "",
    );
    this.#previous.disabled = this.#offset === 0;
    this.#next.disabled = this.#offset + shown >= this.#done;
  }
}

/**
 * @param {Ludus.ContestGameSummary} game
 * @param {number} number
 */
function row(game, number) {
  const result = resultText(game.result);
  const address = `#/analyse?game=${encodeURIComponent(game.id)}`;
  return el(
    "tr",
    {},
    el("td", { class: "number muted" }, number),
    el("td", { class: result === "1–0" ? "winner" : "" }, playerLabel(game.first)),
    el("td", { class: "contest-result number" }, result),
    el("td", { class: result === "0–1" ? "winner" : "" }, playerLabel(game.second)),
    el("td", { class: "muted" }, game.reason),
    el("td", { class: "number" }, game.plies),
    el(
      "td",
      { class: "contest-open" },
      el(
        "a",
        { href: address, "aria-label": `Analyse game ${number}` },
        el("span", {}, "Analyse"),
        icon("forward", 16),
      ),
    ),
  );
}
