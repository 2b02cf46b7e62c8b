/** One recorded search: steps, tree, and the current node on a board and in words. */

import { post } from "../../lib/api.js";
import { el, errorText, on, replace, setText } from "../../lib/dom.js";
import { showDetails } from "../../tree/details.js";
import { GrowthModel } from "../../tree/growth-model.js";
import { legend } from "../../tree/legend.js";
import { SearchModel } from "../../tree/search-model.js";
import { countWords, scoreWords, simulationWords, stepWords } from "../../tree/words.js";
import { valueText } from "./comparison.js";
import { evaluationOf, minimaxBy } from "./evaluations.js";
import { Stepper } from "./stepper.js";
import "../../tree/search-tree.js";
import "../../board/board.js";

/** @typedef {import("../../tree/layout.js").TreeModel} TreeModel */
/** @typedef {import("../../tree/words.js").Display} Display */
/** @typedef {import("../../tree/search-tree.js").LudusSearchTree} LudusSearchTree */

/**
 * @typedef {object} Subject the search and its result
 * @property {string} title of the algorithm
 * @property {string} player
 * @property {Ludus.Explanation} explanation
 * @property {{ game: string, position: string, moves: string[], view: Ludus.BoardDiagram } | null} place null for a typed tree
 * @property {[string, string]} names
 */

/** Delay before the board of a selected node is requested. */
const BOARD_DELAY_MS = 140;
/** Largest number of nodes recorded for a cut subtree. */
const MAX_MEASURED_NODES = 400;

export class ExplainRun {
  /** @type {LudusSearchTree} */
  #tree = /** @type {LudusSearchTree} */ (document.createElement("ludus-search-tree"));
  #words = el("p", { class: "step-words", "aria-live": "polite" });
  #details = el("div", { class: "details" });
  #board = el("ludus-board", { class: "details-board" });
  #boardNote = el("p", { class: "muted details-note" });
  #passes = el("div", { class: "passes", role: "group", "aria-label": "Passes of the search" });
  /** @type {number | null} the node selected by the user, until the next step */
  #pinned = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #boardTimer;
  /** @type {AbortController | null} */
  #asking = null;
  #closing = new AbortController();
  /** @type {Map<string, { view: Ludus.BoardDiagram, last: number[] }>} */
  #positions = new Map();

  /**
   * @param {Subject} subject
   * @param {boolean} alone whether it is the only one on the page
   */
  constructor(subject, alone) {
    this.subject = subject;
    this.alone = alone;
    const { trace, analysis } = subject.explanation;
    /** @type {TreeModel} */
    this.model =
      "simulations" in trace
        ? new GrowthModel(
            /** @type {import("../../tree/growth-model.js").GrowthDocument} */ (/** @type {unknown} */ (trace)),
            analysis.pv,
          )
        : new SearchModel(/** @type {import("../../tree/search-model.js").SearchDocument} */ (trace), analysis.pv);
    /** @type {Display} */
    this.display = { viewpoint: subject.place ? "mover" : "root", plain: !subject.place, names: subject.names };
    this.stepper = new Stepper(this.model.kind === "search" ? "Step" : "Simulation", (step) => this.#seek(step));
    this.element = this.#build();
    this.#tree.display = this.display;
    this.#tree.model = this.model;
    this.stepper.reset(this.model.stepCount, this.model.stepCount);
  }

  #build() {
    on(this.#tree, "node", (/** @type {CustomEvent<{ id: number }>} */ event) => this.#choose(event.detail.id, false));
    this.#fillPasses();
    const side = el(
      "div",
      { class: "explain-side" },
      this.subject.place ? el("div", { class: "details-place" }, this.#board, this.#boardNote) : null,
      this.#details,
    );
    return el(
      "section",
      { class: "card explain-run", "aria-label": this.subject.title },
      el("header", { class: "explain-head" }, this.#headline(), this.#controls()),
      this.stepper.element,
      this.#words,
      this.#passes,
      el(
        "div",
        { class: "explain-body" },
        el(
          "div",
          { class: "explain-tree" },
          this.#tree,
          legend(
            this.model.kind === "growth" && this.model.raw ? "raw" : this.model.kind,
            this.alone && window.innerWidth > 900,
          ),
        ),
        side,
      ),
    );
  }

  #headline() {
    const {
      explanation: { analysis, trace },
      title,
      place,
    } = this.subject;
    const unit = this.model.kind === "search" ? "nodes" : "simulations";
    // Named like the nodes of the tree, not in record notation.
    const move = analysis.best;
    const facts = [`${countWords(trace.visits)} ${unit}`, move && `plays ${move}`, valueText(analysis, !place)];
    return el(
      "div",
      { class: "explain-name" },
      el("h2", { class: "card-title" }, title),
      ...facts.filter(Boolean).map((fact) => el("span", { class: "badge number" }, fact)),
      trace.nodes.length < trace.visits && this.model.kind === "search"
        ? el("span", { class: "badge info" }, `${countWords(trace.nodes.length)} recorded`)
        : null,
    );
  }

  #controls() {
    const viewpoint = el(
      "select",
      {
        class: "select",
        "aria-label": "Point of view of the scores",
        onchange: () => this.#setViewpoint(viewpoint.value === "root" ? "root" : "mover"),
      },
      el("option", { value: "mover", selected: this.display.viewpoint === "mover" }, "Scores of the side to move"),
      el(
        "option",
        { value: "root", selected: this.display.viewpoint === "root" },
        `Scores of ${this.subject.names[0]} (max)`,
      ),
    );
    const button = (/** @type {string} */ text, /** @type {() => void} */ act) =>
      el("button", { type: "button", class: "button quiet", onclick: act }, text);
    return el(
      "div",
      { class: "explain-controls" },
      this.model.kind === "search" ? viewpoint : null,
      button("Unfold all", () => this.#tree.unfold(true)),
      button("Fold", () => this.#tree.unfold(false)),
    );
  }

  /** @param {"mover" | "root"} viewpoint */
  #setViewpoint(viewpoint) {
    this.display = { ...this.display, viewpoint };
    this.#tree.display = this.display;
    this.#fillPasses();
    this.#showStep();
  }

  #fillPasses() {
    const model = this.model;
    if (model.kind !== "search" || model.trace.passes.length < 2) {
      this.#passes.hidden = true;
      return;
    }
    const edge = (/** @type {number | null} */ value, /** @type {string} */ open) =>
      value === null ? open : scoreWords(value, this.display.plain);
    replace(
      this.#passes,
      ...model.trace.passes.map((pass, index) =>
        el(
          "button",
          {
            type: "button",
            class: "pass",
            onclick: () => this.#goToPass(index),
            title: `Pass ${index + 1}: depth ${pass.depth}`,
          },
          el("span", { class: "pass-name" }, `${index + 1} · depth ${pass.depth}`),
          el(
            "span",
            { class: "number" },
            `[${edge(pass.alpha, "−∞")}, ${edge(pass.beta, "+∞")}] → ${passValue(pass, this.display.plain)}`,
          ),
        ),
      ),
    );
  }

  /** @param {number} pass */
  #goToPass(pass) {
    if (this.model.kind !== "search") return;
    this.stepper.pause();
    const root = this.model.roots[pass];
    if (root === undefined) return;
    this.#pinned = null;
    this.stepper.go(this.model.left[root]);
  }

  /** @param {number} step */
  #seek(step) {
    this.model.seek(step);
    this.#pinned = null;
    this.#tree.selected = -1;
    this.#tree.refresh();
    this.#markPass();
    this.#showStep();
  }

  #markPass() {
    if (this.model.kind !== "search" || this.#passes.hidden) return;
    const now = this.model.nodes[this.model.root]?.pass ?? 0;
    [...this.#passes.children].forEach((chip, index) => {
      if ((chip.getAttribute("aria-current") === "true") === (index === now)) return;
      chip.setAttribute("aria-current", String(index === now));
      const strip = this.#passes;
      if (index === now && chip instanceof HTMLElement)
        strip.scrollLeft = chip.offsetLeft - strip.offsetLeft - strip.clientWidth / 2;
    });
  }

  /**
   * @param {number} id
   * @param {boolean} reveal
   */
  #choose(id, reveal) {
    this.stepper.pause();
    this.#pinned = id;
    if (reveal) this.#tree.reveal(id);
    this.#showStep();
  }

  #showStep() {
    const { model, display } = this;
    setText(this.#words, model.kind === "search" ? stepWords(model, display) : simulationWords(model));
    const id = this.#pinned ?? (model.ended ? model.root : model.current);
    const measure = this.subject.place ? (/** @type {number} */ cut) => void this.#measure(cut) : null;
    showDetails(this.#details, model, id, display, { choose: (chosen) => this.#choose(chosen, true), measure });
    this.#showBoard(id);
  }

  /** @param {number} id */
  #showBoard(id) {
    const { place } = this.subject;
    if (!place) return;
    clearTimeout(this.#boardTimer);
    const moves = this.model.movesTo(id);
    setText(this.#boardNote, moves === null ? "There is a null move on the path: the board before it is shown." : "");
    if (moves === null) return;
    const known = moves.length === 0 ? { view: place.view, last: [] } : this.#positions.get(moves.join(" "));
    if (known) return this.#paintBoard(known);
    this.#boardTimer = setTimeout(() => void this.#ask(moves), BOARD_DELAY_MS);
  }

  /** @param {string[]} moves */
  async #ask(moves) {
    const { place } = this.subject;
    if (!place) return;
    this.#asking?.abort();
    this.#asking = new AbortController();
    try {
      /** @type {Ludus.PositionView} */
      const answer = await post(
        "/positions",
        { game: place.game, position: place.position, moves: [...place.moves, ...moves] },
        this.#asking.signal,
      );
      const known = { view: answer.view, last: answer.last_cells };
      this.#positions.set(moves.join(" "), known);
      this.#paintBoard(known);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      setText(this.#boardNote, errorText(error));
    }
  }

  /** @param {{ view: Ludus.BoardDiagram, last: number[] }} known */
  #paintBoard({ view, last }) {
    this.#board.view = view;
    this.#board.last = last;
  }

  /**
   * Adds the cut nodes, from a trace of minimax.
   * @param {import("../../tree/search-model.js").SearchDocument} whole
   */
  compareWith(whole) {
    if (this.model.kind !== "search") return;
    this.model.addGhosts(whole);
    this.#tree.model = this.model;
    this.#showStep();
  }

  /**
   * Runs minimax on the moves cut at a node.
   * @param {number} id
   */
  async #measure(id) {
    const { place } = this.subject;
    const { model } = this;
    const moves = model.movesTo(id);
    if (!place || model.kind !== "search" || !moves) return;
    try {
      const { player } = minimaxBy(evaluationOf(this.subject.player), model.nodes[id].depth);
      /** @type {Ludus.Explanation} */
      const { trace } = await post(
        "/explain",
        {
          game: place.game,
          position: place.position,
          moves: [...place.moves, ...moves],
          player,
          size: MAX_MEASURED_NODES,
        },
        this.#closing.signal,
      );
      model.addGhostsAt(id, /** @type {import("../../tree/search-model.js").SearchDocument} */ (trace));
      this.#tree.remember();
      this.#tree.reveal(id);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      setText(this.#boardNote, errorText(error));
    }
    this.#showStep();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return this.stepper.key(event);
  }

  close() {
    this.stepper.pause();
    clearTimeout(this.#boardTimer);
    this.#asking?.abort();
    this.#closing.abort();
  }
}

/**
 * @param {Ludus.SearchPass} pass
 * @param {boolean} plain
 */
function passValue({ alpha, beta, value }, plain) {
  if (value === null) return "stopped";
  const sign = beta !== null && value >= beta ? "≥ " : alpha !== null && value <= alpha ? "≤ " : "";
  return sign + scoreWords(value, plain);
}
