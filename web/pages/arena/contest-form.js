/** The form of a new contest. */

import { field, numberInput, segmented, toggle } from "../../forms/fields.js";
import { OptionForm } from "../../forms/option-form.js";
import { post } from "../../lib/api.js";
import { el, errorText, replace, setText } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { readSpec, writeSpec } from "../../lib/specs.js";
import { Entrants } from "./entrants.js";

/** @typedef {"round-robin" | "gauntlet" | "knockout"} Form */
/** @typedef {"time_ms" | "nodes" | "depth" | "none"} LimitKind */

const FORM_HINTS = {
  "round-robin": "All players play each other.",
  gauntlet: "The first player meets each of the others.",
  knockout: "Losers are eliminated.",
};
const LIMITS = /** @type {Record<LimitKind, { label: string, value: number, most: number }>} */ ({
  time_ms: { label: "Milliseconds a move", value: 100, most: 60000 },
  nodes: { label: "Positions a move", value: 5000, most: 1e9 },
  depth: { label: "Depth in plies", value: 4, most: 100 },
  none: { label: "", value: 1, most: 1 },
});

/**
 * Number of games; a knockout plays one pairing fewer than it has players.
 * @param {Form} form
 * @param {number} players
 * @param {number} games
 */
function plannedGames(form, players, games) {
  const pairings = form === "round-robin" ? (players * (players - 1)) / 2 : Math.max(0, players - 1);
  return { pairings, games: pairings * games };
}

export class ContestForm {
  #gallery;
  #game = el("select", { class: "select" });
  #gameOptions = el("div", { class: "contest-game-options" });
  /** @type {OptionForm | null} */ #optionForm = null;
  #entrants = new Entrants(() => this.#paint());
  #form = segmented(
    "Form",
    [
      ["round-robin", "Round robin"],
      ["gauntlet", "Gauntlet"],
      ["knockout", "Knockout"],
    ],
    /** @type {Form} */ ("round-robin"),
    () => this.#paint(),
  );
  #formHint = el("span", { class: "hint" });
  #name = el("input", {
    class: "input",
    type: "text",
    maxlength: 100,
    placeholder: "as its players",
    autocomplete: "off",
  });
  #games = numberInput(10, { min: 1, max: 100000 });
  #limitKind = segmented(
    "Limit",
    [
      ["time_ms", "Time"],
      ["nodes", "Positions"],
      ["depth", "Depth"],
      ["none", "Own"],
    ],
    /** @type {LimitKind} */ ("nodes"),
    (kind) => this.#limitChosen(kind),
  );
  #limit = numberInput(LIMITS.nodes.value, { min: 1, max: LIMITS.nodes.most });
  #limitField = field(LIMITS.nodes.label, this.#limit);
  #openings = toggle(
    "Start from the game's openings in random order, then from generated ones, each with both colours",
    true,
  );
  #seed = numberInput(1, { min: 0, max: Number.MAX_SAFE_INTEGER });
  #concurrency = numberInput(2, { min: 1, max: 64 });
  #sprt = toggle("Stop when a sequential test (SPRT) reaches a verdict", false, () => this.#paint());
  #elo0 = numberInput(0, { step: "any" });
  #elo1 = numberInput(20, { step: "any" });
  #sprtFields = el(
    "div",
    { class: "contest-pair" },
    field("Not better than (Elo)", this.#elo0),
    field("Better by (Elo)", this.#elo1),
  );
  #sprtBox = el("div", { class: "column tight" }, this.#sprt.element, this.#sprtFields);
  #sum = el("p", { class: "contest-sum number" });
  #error = el("p", { class: "field-error", role: "alert", hidden: true });
  #start = el("button", { class: "button primary large wide", type: "submit" }, icon("play"), "Start the contest");
  element;

  /**
   * @param {Ludus.GameCard[]} games
   * @param {{ game?: string, players?: string[] }} [wanted]
   */
  constructor(games, wanted = {}) {
    this.#gallery = games;
    const asked = readSpec(wanted.game ?? "draughts");
    const game = games.find((one) => one.id === asked.id) ?? games[0];
    replace(
      this.#game,
      games.map((one) => el("option", { value: one.id, selected: one === game }, one.name)),
    );
    this.#game.addEventListener("change", () => this.#gameChosen(this.#chosen(), {}));
    this.#games.addEventListener("input", () => this.#paint());
    this.element = this.#build();
    this.#gameChosen(game, asked.options, wanted.players);
  }

  #build() {
    return el(
      "form",
      { class: "contest-form", onsubmit: (/** @type {Event} */ event) => this.#submit(event) },
      el(
        "section",
        { class: "card column" },
        el("h2", { class: "card-title" }, "Who plays"),
        field("Game", this.#game),
        this.#gameOptions,
        this.#entrants.element,
      ),
      el(
        "section",
        { class: "card column contest-settings" },
        el("h2", { class: "card-title" }, "How they play"),
        el("div", { class: "field" }, el("span", { class: "label" }, "Form"), this.#form.element, this.#formHint),
        field("Name", this.#name),
        field("Games per pairing", this.#games),
        el(
          "div",
          { class: "field" },
          el("span", { class: "label" }, "Limit per move, for players without their own"),
          this.#limitKind.element,
        ),
        this.#limitField,
        this.#openings.element,
        el("div", { class: "contest-pair" }, field("Parallel games", this.#concurrency), field("Seed", this.#seed)),
        this.#sprtBox,
        el("hr", {}),
        this.#sum,
        this.#error,
        this.#start,
      ),
    );
  }

  #chosen() {
    return this.#gallery.find((game) => game.id === this.#game.value) ?? this.#gallery[0];
  }

  /**
   * @param {Ludus.GameCard} game
   * @param {Record<string, string>} options
   * @param {string[]} [players]
   */
  #gameChosen(game, options, players) {
    this.#optionForm = null;
    if (game.options.length > 0) {
      this.#optionForm = new OptionForm();
      this.#optionForm.options = game.options;
      this.#optionForm.values = options;
    }
    replace(this.#gameOptions, this.#optionForm);
    this.#entrants.show(game, players ?? proposed(game));
  }

  /** @param {LimitKind} kind */
  #limitChosen(kind) {
    const { label, value, most } = LIMITS[kind];
    this.#limitField.hidden = kind === "none";
    this.#limit.max = String(most);
    this.#limit.value = String(value);
    setText(/** @type {Element} */ (this.#limitField.querySelector("label")), label);
  }

  #paint() {
    const players = this.#entrants.specs.length;
    const planned = plannedGames(this.#form.value, players, Number(this.#games.value) || 0);
    setText(this.#formHint, FORM_HINTS[this.#form.value]);
    setText(
      this.#sum,
      players < 2
        ? "Choose two players or more."
        : `${plural(planned.pairings, "pairing")} × ${this.#games.value || 0} = ${plural(planned.games, "game")}`,
    );
    this.#start.disabled = players < 2;
    this.#sprtBox.hidden = players !== 2;
    this.#sprtFields.hidden = !this.#sprt.input.checked;
    this.#error.hidden = true;
  }

  #request() {
    const kind = this.#limitKind.value;
    const players = this.#entrants.specs;
    const testing = players.length === 2 && this.#sprt.input.checked;
    return {
      game: writeSpec(this.#game.value, this.#optionForm?.values ?? {}),
      players,
      ...(this.#name.value.trim() ? { name: this.#name.value.trim() } : {}),
      form: this.#form.value,
      games: Number(this.#games.value),
      limits: kind === "none" ? {} : { [kind]: Number(this.#limit.value) },
      openings: this.#openings.input.checked ? "suite" : "none",
      seed: Number(this.#seed.value),
      concurrency: Number(this.#concurrency.value),
      ...(testing ? { sprt: { elo0: Number(this.#elo0.value), elo1: Number(this.#elo1.value) } } : {}),
    };
  }

  /** @param {Event} event */
  async #submit(event) {
    event.preventDefault();
    this.#start.disabled = true;
    try {
      const contest = /** @type {Ludus.ContestView} */ (await post("/contests", this.#request()));
      location.hash = `#/arena/${encodeURIComponent(contest.id)}`;
    } catch (error) {
      setText(this.#error, errorText(error));
      this.#error.hidden = false;
      this.#start.disabled = false;
    }
  }
}

/**
 * @param {number} count
 * @param {string} noun
 */
function plural(count, noun) {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Two default players. @param {Ludus.GameCard} game */
function proposed(game) {
  const others = ["mcts:playouts=200", "alphabeta:depth=3", "greedy", "random"];
  const known = others.filter((spec) => game.players.some((player) => player.id === readSpec(spec).id));
  return [game.suggested, known[0] ?? game.players[0]?.id].filter(Boolean);
}
