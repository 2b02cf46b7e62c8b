/** Input features of a learned network, or terms of a handcrafted evaluation, on a board. */

import { post } from "../../lib/api.js";
import { el, errorText, replace, setText } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { playerName } from "../../lib/names.js";
import "../../board/board.js";
import { field } from "../../forms/fields.js";
import { featureLabel } from "../../lib/labels.js";
import { boardLayers } from "./board-layers.js";

/** Players whose networks or weights are shown; for all others the handcrafted evaluation is. */
const LEARNED_PLAYERS = [
  "neurodraughts",
  "ls-draughts",
  "visiondraughts",
  "iiga",
  "mp-draughts",
  "study-logreg",
  "study-cnn",
];
/** Variants of learned players with other weights, in words. @type {[string, string, string][]} */
const VARIANTS = [
  ["study-logreg", "interactions=on", "with interactions"],
  ["study-cnn", "turn=on", "with the side to move"],
];

export class FeatureView {
  #gallery;
  /** @type {string[]} */ #moves = [];
  #visit = 0;
  #game = el("select", { class: "select", onchange: () => this.#gameChosen() });
  #player = el("select", { class: "select", onchange: () => this.#look() });
  #position = el("input", {
    class: "input code",
    type: "text",
    spellcheck: "false",
    placeholder: "the start",
    onchange: () => this.#restart(),
  });
  #board = el("ludus-board", { class: "feature-board" });
  #back = el("button", { class: "button", type: "button", onclick: () => this.#takeBack() }, icon("undo"), "Take back");
  #anew = el("button", { class: "button quiet", type: "button", onclick: () => this.#restart() }, "Start again");
  #score = el("span", { class: "feature-score number" });
  #turn = el("span", { class: "muted" });
  #judge = el("p", { class: "muted small" });
  #bars = el("ol", { class: "feature-bars" });
  #layers = el("div", { class: "feature-layers" });
  #error = el("p", { class: "field-error", role: "alert", hidden: true });
  element = el(
    "div",
    { class: "split feature-view" },
    el("div", { class: "column" }, this.#board, el("div", { class: "row" }, this.#back, this.#anew), this.#layers),
    el(
      "div",
      { class: "column" },
      el(
        "section",
        { class: "card column" },
        el("div", { class: "contest-pair" }, field("Game", this.#game), field("Seen by", this.#player)),
        field("Position", this.#position, "Play moves on the board, or paste a position."),
      ),
      el(
        "section",
        { class: "card" },
        el(
          "div",
          { class: "row spread" },
          el("h2", { class: "card-title" }, "Features"),
          el("div", { class: "row" }, this.#score, this.#turn),
        ),
        this.#judge,
        this.#error,
        this.#bars,
      ),
    ),
  );

  /** @param {Ludus.GameCard[]} gallery */
  constructor(gallery) {
    this.#gallery = gallery;
    const first = gallery.find((game) => game.id === "draughts") ?? gallery[0];
    replace(
      this.#game,
      gallery.map((game) => el("option", { value: game.id, selected: game === first }, game.name)),
    );
    this.#board.interactive = true;
    this.#board.addEventListener("move", (event) =>
      this.#played(/** @type {CustomEvent<Ludus.MoveView>} */ (event).detail),
    );
    this.#fillPlayers();
  }

  start() {
    return this.#look();
  }

  #gameChosen() {
    this.#position.value = "";
    this.#fillPlayers();
    this.#restart();
  }

  #fillPlayers() {
    const players = this.#gallery.find((game) => game.id === this.#game.value)?.players ?? [];
    const learned = players.filter((player) => LEARNED_PLAYERS.includes(player.id));
    const other =
      players.find((player) => player.id === "engine") ?? players.find((player) => !learned.includes(player));
    replace(
      this.#player,
      learned.flatMap(({ id }) => [
        el("option", { value: id }, playerName(id)),
        ...VARIANTS.filter(([of]) => of === id).map(([, options, words]) =>
          el("option", { value: `${id}:${options}` }, `${playerName(id)} ${words}`),
        ),
      ]),
      other ? el("option", { value: other.id }, "The handcrafted evaluation") : null,
    );
  }

  #restart() {
    this.#moves = [];
    void this.#look();
  }

  #takeBack() {
    this.#moves = this.#moves.slice(0, -1);
    void this.#look();
  }

  /** @param {Ludus.MoveView} move */
  #played(move) {
    this.#moves = [...this.#moves, move.move];
    void this.#look();
  }

  async #look() {
    this.#visit += 1;
    const visit = this.#visit;
    const asked = {
      game: this.#game.value,
      moves: this.#moves,
      ...(this.#position.value.trim() ? { position: this.#position.value.trim() } : {}),
    };
    this.#back.disabled = this.#moves.length === 0;
    this.#error.hidden = true;
    try {
      const [position, features] = await Promise.all([
        /** @type {Promise<Ludus.PositionView>} */ (post("/positions", asked)).then((answer) => {
          if (visit === this.#visit) this.#showBoard(answer);
          return answer;
        }),
        /** @type {Promise<Ludus.FeaturesView>} */ (post("/features", { ...asked, player: this.#player.value })),
      ]);
      if (visit !== this.#visit) return;
      setText(this.#turn, position.ending ? position.ending.words : "for the side to move");
      this.#showAnalysis(features);
      replace(this.#layers, ...boardLayers(features.layers ?? [], position.view));
    } catch (error) {
      if (visit !== this.#visit) return;
      setText(this.#error, errorText(error));
      this.#error.hidden = false;
      this.#bars.replaceChildren();
      this.#layers.replaceChildren();
      setText(this.#score, "");
    }
  }

  /** @param {Ludus.PositionView} answer */
  #showBoard(answer) {
    this.#board.view = answer.view;
    this.#board.last = answer.last_cells;
    this.#board.legal = answer.ending ? [] : answer.legal;
  }

  /** @param {Ludus.FeaturesView} analysis */
  #showAnalysis({ groups, score, score_words: words, judge }) {
    const largest = Math.max(1e-9, ...groups.map((group) => Math.abs(group.value)));
    const oneSided = groups.every((group) => group.value >= 0);
    setText(this.#score, words ?? (score === null ? "" : signedNumber(score)));
    setText(this.#judge, judge ? `Evaluation: ${judge === "hand" ? "handcrafted" : judge}` : "");
    this.#bars.classList.toggle("one-sided", oneSided);
    replace(
      this.#bars,
      groups.map((group) =>
        el(
          "li",
          {
            class: `feature-bar ${group.value < 0 ? "minus" : "plus"}`,
            style: { "--length": `${(Math.abs(group.value) / largest) * (oneSided ? 100 : 50)}%` },
          },
          el("span", { class: "feature-name" }, featureLabel(group.name)),
          el("span", { class: "feature-strip", "aria-hidden": "true" }),
          el(
            "span",
            { class: "feature-value number" },
            oneSided ? group.value.toLocaleString("en") : signedNumber(group.value),
          ),
          group.detail ? el("span", { class: "feature-detail muted small" }, group.detail) : null,
        ),
      ),
    );
  }
}

/** @param {number} value */
function signedNumber(value) {
  const text = Math.abs(value).toLocaleString("en", { maximumFractionDigits: 2 });
  return value < 0 ? `−${text}` : `+${text}`;
}
