/** Reviews a whole game with an engine: the score after every move, and the mistakes. */

import { expected, scoreText } from "../../charts/score-bar.js";
import { ANNOTATIONS, annotationOf } from "../../charts/score-graph.js";
import { el, replace, setText } from "../../lib/dom.js";
import { playerName } from "../../lib/names.js";

/** @typedef {import("./game-tree.js").GameNode} GameNode */
/** @typedef {import("../../charts/score-graph.js").Annotation} Annotation */

const NODES = [
  [5_000, "quick: 5,000 nodes a move"],
  [50_000, "50,000 nodes a move"],
  [500_000, "thorough: 500,000 nodes a move"],
];

const DEFAULT_NODES = 50_000;

/**
 * The loss of a move, in expected points of the side that made it.
 * @param {GameNode} node
 * @returns {number | null}
 */
function lossOf(node) {
  const [before, after] = [node.parent?.review?.score, node.review?.score];
  if (before === null || before === undefined || after === null || after === undefined) return null;
  const loss = expected(before) - expected(after);
  // Afterwards the other side is to move.
  return node.turn === "second" ? loss : -loss;
}

/**
 * @param {GameNode} node
 * @returns {Annotation | null}
 */
export function annotationFor(node) {
  const loss = lossOf(node);
  return loss === null || node.parent?.review?.best === node.move ? null : annotationOf(loss);
}

export class ReviewPanel {
  #game = "";
  #player = el("select", { class: "select", "aria-label": "Reviewer" });
  #nodes = el(
    "select",
    { class: "select", "aria-label": "How thoroughly" },
    NODES.map(([nodes, words]) => el("option", { value: nodes, selected: nodes === DEFAULT_NODES }, words)),
  );
  #button = el("button", { type: "button", class: "button" }, "Review the game");
  #progress = el("div", { class: "progress", hidden: true }, el("div", {}));
  #words = el("p", { class: "review-words", "aria-live": "polite" });
  #summary = el("div", { class: "review-summary" });

  /** @param {(player: string, nodes: number) => void} start @param {() => void} stop */
  constructor(start, stop) {
    this.running = false;
    this.#button.addEventListener("click", () => {
      if (this.running) stop();
      else start(this.#player.value, Number(this.#nodes.value));
    });
    const thresholds = ANNOTATIONS.map(({ name, sign, from }) => `${name} ${sign} from ${Math.round(100 * from)} %`)
      .reverse()
      .join(", ");
    this.element = el(
      "div",
      { class: "review-panel" },
      el("div", { class: "review-form" }, this.#player, this.#nodes, this.#button),
      this.#progress,
      this.#words,
      this.#summary,
      el("p", { class: "hint" }, `A move is marked by the share of the expected points it loses: ${thresholds}.`),
    );
  }

  /** @param {Ludus.GameCard} game */
  setGame(game) {
    this.#game = game.id;
    const players = game.players.filter(({ id }) => id !== "random");
    replace(
      this.#player,
      players.map(({ id }) => el("option", { value: id, selected: id === "engine" }, playerName(id))),
    );
  }

  /**
   * @param {boolean} running
   * @param {number} done
   * @param {number} all
   */
  progress(running, done, all) {
    this.running = running;
    setText(this.#button, running ? "Stop" : "Review the game");
    this.#progress.hidden = !running;
    const bar = this.#progress.firstElementChild;
    if (bar instanceof HTMLElement) bar.style.width = `${(100 * done) / Math.max(1, all)}%`;
  }

  /**
   * @param {GameNode[]} line
   * @param {GameNode} current
   * @param {[string, string]} names of the sides
   * @param {(node: GameNode) => void} go
   */
  update(line, current, names, go) {
    setText(this.#words, moveWords(current, this.#game));
    if (!line.some((node) => node.review)) return replace(this.#summary);
    const rows = /** @type {Ludus.SideName[]} */ (["first", "second"]).map((side, index) => {
      const own = line.filter((node) => node.parent?.turn === side);
      return el(
        "tr",
        {},
        el("th", { scope: "row" }, names[index]),
        ...[...ANNOTATIONS].reverse().map(({ name }) => {
          const found = own.filter((node) => annotationFor(node)?.name === name);
          const next = found.find((node) => node.ply > current.ply) ?? found[0];
          return el(
            "td",
            { class: "number" },
            found.length === 0
              ? "0"
              : el("button", { type: "button", class: "trail-step", onclick: () => go(next) }, String(found.length)),
          );
        }),
      );
    });
    replace(
      this.#summary,
      el(
        "table",
        { class: "table" },
        el(
          "thead",
          {},
          el(
            "tr",
            {},
            el("th", {}),
            ...[...ANNOTATIONS]
              .reverse()
              .map(({ name, sign }) => el("th", { scope: "col", class: `number ${name}` }, `${sign} ${name}`)),
          ),
        ),
        el("tbody", {}, rows),
      ),
    );
  }

  /** @param {string} message */
  fail(message) {
    setText(this.#words, message);
  }
}

/** @param {GameNode} node @param {string} game */
function moveWords(node, game) {
  const annotation = annotationFor(node);
  const loss = lossOf(node);
  if (loss === null || !node.review) return "";
  const score = node.review.score === null ? "" : ` (${scoreText(node.review.score, game)})`;
  if (!annotation) return `${node.label}${score}: a good move.`;
  const better = node.parent?.review?.label ?? node.parent?.review?.best;
  return `${node.label}${annotation.sign}${score} loses ${Math.round(100 * loss)} % of the points.${better ? ` Better was ${better}.` : ""}`;
}
