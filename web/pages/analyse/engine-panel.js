/** The engines that analyse a position, each with its best lines. */

import { scoreText } from "../../charts/score-bar.js";
import { el, replace, setText } from "../../lib/dom.js";
import { emblem, icon } from "../../lib/icons.js";
import { playerName, playerSettings } from "../../lib/names.js";

/**
 * @typedef {object} Line
 * @property {number | null} score in hundredths, for the first side
 * @property {number} visits
 * @property {string[]} moves
 * @property {string[]} labels
 */

/**
 * @typedef {object} FoundLine a line of an analysis
 * @property {number | null} score in hundredths, for the side to move
 * @property {string[]} pv
 * @property {string[]} pv_labels
 */

/**
 * The lines of an analysis, best first: the principal variation, then single moves with their scores.
 * @param {Ludus.Analysis & { lines?: FoundLine[] }} analysis
 * @param {number} count
 * @param {Ludus.SideName} turn
 * @param {(move: string) => string} labelOf
 * @param {boolean} plain whether moves are shown by coordinates
 * @returns {Line[]}
 */
export function linesOf(analysis, count, turn, labelOf, plain) {
  const sign = turn === "first" ? 1 : -1;
  const seen = (/** @type {number | null} */ score) => (score === null ? null : sign * score);
  if (analysis.lines?.length) {
    return analysis.lines.slice(0, count).map(({ score, pv, pv_labels }) => ({
      score: seen(score),
      visits: 0,
      moves: pv,
      labels: plain ? pv : pv_labels,
    }));
  }
  const labels = plain || !analysis.pv_labels ? analysis.pv : analysis.pv_labels;
  const best = analysis.pv[0] ?? analysis.best;
  const main =
    best === null
      ? []
      : [
          {
            score: seen(analysis.score),
            visits: 0,
            moves: analysis.pv.length ? analysis.pv : [best],
            labels: analysis.pv.length ? labels : [labelOf(best)],
          },
        ];
  const others = analysis.moves.filter(({ move, score, visits }) => move !== best && (score !== null || visits > 0));
  others.sort((a, b) => b.visits - a.visits || (b.score ?? -Infinity) - (a.score ?? -Infinity));
  return [
    ...main,
    ...others
      .slice(0, Math.max(0, count - main.length))
      .map(({ move, score, visits }) => ({ score: seen(score), visits, moves: [move], labels: [labelOf(move)] })),
  ];
}

/** Largest number of engines at the same time. */
const MAX_ENGINES = 4;

class EngineRow {
  #score = el("span", { class: "engine-score number" });
  #facts = el("span", { class: "engine-facts number muted" });
  #lines = el("ol", { class: "engine-lines" });
  #note = el("p", { class: "field-error" });

  /**
   * @param {string} spec
   * @param {number} place index among the engines, which decides its colour
   * @param {() => void} remove
   */
  constructor(spec, place, remove) {
    this.spec = spec;
    const settings = playerSettings(spec);
    this.element = el(
      "li",
      { class: "engine", style: { "--series": `var(--series-${(place % 6) + 1})` } },
      el(
        "div",
        { class: "engine-head" },
        emblem(spec.split(":")[0], 30),
        el(
          "span",
          { class: "engine-name" },
          playerName(spec),
          settings ? el("span", { class: "muted small" }, ` ${settings}`) : null,
        ),
        this.#score,
        this.#facts,
        el(
          "button",
          {
            type: "button",
            class: "button quiet icon",
            "aria-label": `Remove ${playerName(spec)}`,
            title: "Remove",
            onclick: remove,
          },
          icon("close", 16),
        ),
      ),
      this.#note,
      this.#lines,
    );
    this.clear();
  }

  clear() {
    setText(this.#score, "");
    setText(this.#facts, "");
    setText(this.#note, "");
    this.#note.hidden = true;
    this.#lines.replaceChildren();
  }

  /** @param {string} message */
  fail(message) {
    setText(this.#note, message);
    this.#note.hidden = false;
  }

  /**
   * @param {Ludus.Analysis} analysis
   * @param {Line[]} lines
   * @param {(moves: string[], labels: string[]) => void} follow
   */
  show(analysis, lines, follow) {
    setText(this.#score, lines[0]?.score === null || !lines[0] ? "" : scoreText(lines[0].score, analysis.game));
    const speed = analysis.seconds > 0.05 ? ` · ${short(analysis.nodes / analysis.seconds)}/s` : "";
    setText(this.#facts, `depth ${analysis.depth} · ${short(analysis.nodes)}${speed}`);
    while (this.#lines.children.length > lines.length) this.#lines.lastElementChild?.remove();
    lines.forEach((line, index) => {
      const key = JSON.stringify(line);
      const old = this.#lines.children[index];
      if (old instanceof HTMLElement && old.dataset.key === key) return;
      const fresh = this.#line(line, analysis.game, follow);
      fresh.dataset.key = key;
      if (old) old.replaceWith(fresh);
      else this.#lines.append(fresh);
    });
  }

  /**
   * @param {Line} line
   * @param {string} game
   * @param {(moves: string[], labels: string[]) => void} follow
   */
  #line({ score, visits, moves, labels }, game, follow) {
    return el(
      "li",
      { class: "engine-line" },
      el(
        "span",
        { class: "engine-line-score number" },
        score === null ? (visits > 0 ? short(visits) : "") : scoreText(score, game),
      ),
      el(
        "span",
        { class: "engine-line-moves" },
        ...labels.map((label, index) =>
          el(
            "button",
            {
              type: "button",
              class: "engine-move",
              onclick: () => follow(moves.slice(0, index + 1), labels.slice(0, index + 1)),
            },
            label,
          ),
        ),
      ),
    );
  }
}

export class EnginePanel {
  /** @type {EngineRow[]} */
  #rows = [];
  #list = el("ul", { class: "engine-list" });
  #choice = el("select", { class: "select", "aria-label": "Engine to add" });
  /** @type {Ludus.GameCard | null} */
  #game = null;

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    this.element = el(
      "div",
      { class: "engine-panel" },
      this.#list,
      el(
        "div",
        { class: "engine-add" },
        this.#choice,
        el(
          "button",
          { type: "button", class: "button", onclick: () => this.#add(this.#choice.value) },
          icon("plus"),
          "Add",
        ),
      ),
    );
  }

  get players() {
    return this.#rows.map(({ spec }) => spec);
  }

  /** @param {Ludus.GameCard} game */
  setGame(game) {
    if (this.#game?.id === game.id) return;
    this.#game = game;
    const judges = game.players.filter(({ id }) => id !== "random");
    replace(
      this.#choice,
      judges.map(({ id, about }) => el("option", { value: id, title: about }, playerName(id))),
    );
    this.#rows = [];
    const usual = judges.some(({ id }) => id === "engine") ? "engine" : judges[judges.length - 1]?.id;
    if (usual) this.#rows.push(this.#row(usual));
    this.#choice.value = judges.find(({ id }) => id === "mcts")?.id ?? usual ?? "";
    this.#draw();
  }

  /** @param {string} spec */
  #row(spec) {
    const row = new EngineRow(spec, this.#rows.length, () => {
      this.#rows = this.#rows.filter((other) => other !== row);
      this.#draw();
      this.changed();
    });
    return row;
  }

  /** @param {string} spec */
  #add(spec) {
    if (!spec || this.players.includes(spec) || this.#rows.length >= MAX_ENGINES) return;
    this.#rows.push(this.#row(spec));
    this.#draw();
    this.changed();
  }

  #draw() {
    replace(
      this.#list,
      this.#rows.map(({ element }) => element),
    );
  }

  clear() {
    for (const row of this.#rows) row.clear();
  }

  /**
   * @param {string} player
   * @param {Ludus.Analysis} analysis
   * @param {Line[]} lines
   * @param {(moves: string[], labels: string[]) => void} follow
   */
  show(player, analysis, lines, follow) {
    this.#rows.find(({ spec }) => spec === player)?.show(analysis, lines, follow);
  }

  /**
   * @param {string} message
   * @param {string | undefined} player the player that failed; unset if the whole request did
   */
  fail(message, player) {
    (this.#rows.find(({ spec }) => spec === player) ?? this.#rows[0])?.fail(message);
  }
}

/** @param {number} number */
export function short(number) {
  if (number >= 1e6) return `${(number / 1e6).toFixed(1)} M`;
  return number >= 1e4 ? `${Math.round(number / 1e3)} k` : Math.round(number).toLocaleString("en");
}
