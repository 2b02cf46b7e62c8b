/** Explain page: a real search, recorded and shown as a tree. */

import { post } from "../lib/api.js";
import { el, errorText, on, replace } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { sideNames } from "../lib/names.js";
import { comparison, isWhole } from "./explain/comparison.js";
import { evaluationOf, minimaxBy } from "./explain/evaluations.js";
import { ExplainRun } from "./explain/run.js";
import { addressOf, ExplainSetup } from "./explain/setup.js";

/** @typedef {import("./explain/setup.js").ExplainRequest} ExplainRequest */
/** @typedef {import("../tree/search-model.js").SearchDocument} SearchDocument */
/** @typedef {Pick<import("./explain/run.js").Subject, "title" | "player" | "explanation">} Reference a plain minimax search to compare with */

/** Minimax runs for comparison automatically up to about this many nodes. */
const AUTO_MINIMAX_NODES = 2_000_000;
const MAX_TRACE_NODES = 20_000;
/** Suggested searches, as queries and in words. */
const SUGGESTIONS = [
  ["tree=((3 12 8) (2 4 6) (14 5 2))&player=alphabeta", "The textbook tree, and alpha-beta's cutoffs"],
  ["tree=(((10 5) (11 7)) ((9 8) (3 20)) ((6 4) (12 1)))&player=mtdf&against=sss", "MTD(f) and SSS* pass by pass"],
  ["game=connect4&player=alphabeta:depth=4&against=negascout:depth=4", "Alpha-beta beside NegaScout at Connect Four"],
  ["game=tictactoe&player=mcts:playouts=300", "Growth of a Monte Carlo tree"],
  ["tree=(((3 7) (9 4)) ((5 2) (6 8)))&player=alphabeta", "A chess study's alpha-beta, step by step"],
  [
    "tree=(S1:20:(S3:0 S4:0) S2:10:(S5:10 S6:10))&player=study-mcts:plies=0,iterations=4",
    "A chess study's UCB1: 11.48 against 12.10",
  ],
  ["game=chess&player=study-mcts:iterations=300", "Raw values growing in a chess tree"],
];

class ExplainPage {
  /** @type {ExplainRun[]} */
  #runs = [];
  /** @type {AbortController | null} */
  #asking = null;
  #output = el("div", { class: "explain-output" });
  #setup = new ExplainSetup((order) => void this.#search(order));

  /**
   * @param {HTMLElement} main
   * @param {URLSearchParams} query
   */
  async show(main, query) {
    replace(
      this.#output,
      el(
        "div",
        { class: "empty card" },
        icon("explain", 40),
        el("h2", {}, "Watch a search think"),
        el(
          "p",
          {},
          "Choose a position and an algorithm, then press Search. Every visit is recorded and can be stepped through: windows, values, cuts, table hits, or the growth of a Monte Carlo tree.",
        ),
        el(
          "div",
          { class: "explain-beginnings" },
          SUGGESTIONS.map(([search, words]) =>
            el("button", { type: "button", class: "button", onclick: () => void this.#begin(search) }, words),
          ),
        ),
      ),
    );
    replace(
      main,
      el(
        "div",
        { class: "page explain-page" },
        el("h1", { class: "page-title" }, "Explain"),
        this.#setup.element,
        this.#output,
      ),
    );
    await this.#setup.load(query);
    return on(document, "keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
  }

  /** @param {string} search query of a link */
  async #begin(search) {
    await this.#setup.fill(new URLSearchParams(search));
    await this.#search(this.#setup.order());
  }

  close() {
    this.#asking?.abort();
    this.#clear();
  }

  #clear() {
    for (const run of this.#runs) run.close();
    this.#runs = [];
  }

  /** @param {ExplainRequest} order */
  async #search(order) {
    this.#asking?.abort();
    const asking = new AbortController();
    this.#asking = asking;
    this.#setup.busy = true;
    history.replaceState(null, "", `#/explain?${addressOf(order)}`);
    this.#clear();
    try {
      const answers = await Promise.all(
        order.runs.map(({ player, nodes }) => explain(order, player, { size: order.size, nodes }, asking.signal)),
      );
      if (asking.signal.aborted) return;
      this.#runs = answers.map(
        (explanation, index) => new ExplainRun(subject(order, index, explanation), answers.length === 1),
      );
      await this.#present(order, asking.signal);
    } catch (error) {
      if (!asking.signal.aborted)
        replace(
          this.#output,
          el(
            "div",
            { class: "empty card", role: "alert" },
            icon("warning", 40),
            el("h2", {}, "Nothing to show"),
            el("p", {}, errorText(error)),
          ),
        );
    } finally {
      if (this.#asking === asking) this.#setup.busy = false;
    }
  }

  /**
   * @param {ExplainRequest} order
   * @param {AbortSignal} signal
   */
  async #present(order, signal) {
    const place = el("div", { class: "explain-comparison" });
    replace(
      this.#output,
      place,
      el("div", { class: `explain-runs runs-${this.#runs.length}` }, ...this.#runs.map((run) => run.element)),
    );
    this.#output.scrollIntoView({ block: "start", behavior: "smooth" });
    const depth = Math.max(...this.#runs.map(({ subject: { explanation } }) => explanation.trace.depth));
    const compared = (/** @type {Reference[]} */ references, /** @type {(() => void) | null} */ ask, note = "") =>
      replace(
        place,
        comparison(
          this.#runs.map((run) => run.subject),
          references,
          ask,
          note,
        ),
      );
    const wholes = this.#runs.map((run) => run.subject).filter(({ player }) => isWhole(player));
    this.#takeReferences(wholes);
    const known = new Set(wholes.map(({ player }) => evaluationOf(player)));
    const searches = this.#runs.filter((run) => run.model.kind === "search");
    const unknown = new Set(
      searches.map((run) => evaluationOf(run.subject.player)).filter((evaluation) => !known.has(evaluation)),
    );
    if (unknown.size === 0) return compared([], null);
    const ask = async () => {
      try {
        const references = await Promise.all(
          [...unknown].map(async (evaluation) => {
            const minimax = minimaxBy(evaluation, order.kind === "tree" ? undefined : depth);
            return { ...minimax, explanation: await explain(order, minimax.player, { size: MAX_TRACE_NODES }, signal) };
          }),
        );
        if (signal.aborted) return;
        if (!references.every(({ explanation }) => isComplete(explanation)))
          return compared([], null, "Minimax did not complete that depth in time.");
        this.#takeReferences(references);
        compared(references, null);
      } catch (error) {
        if (!signal.aborted) compared([], null, `Minimax was not counted: ${errorText(error)}`);
      }
    };
    const moves = order.answer?.legal.length ?? 1;
    compared([], () => void ask());
    if (order.kind === "tree" || moves ** depth <= AUTO_MINIMAX_NODES) await ask();
  }

  /**
   * Adds the cut nodes, where minimax with the same evaluation has run.
   * @param {Reference[]} references
   */
  #takeReferences(references) {
    for (const {
      player,
      explanation: { trace },
    } of references) {
      if (!("passes" in trace)) continue;
      const compared = this.#runs.filter(
        ({ subject }) => subject.explanation.trace !== trace && evaluationOf(subject.player) === evaluationOf(player),
      );
      for (const run of compared) run.compareWith(/** @type {SearchDocument} */ (trace));
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.#runs.length === 0) return;
    const target = event.target;
    if (target instanceof Element && target.closest("input, select, textarea, button, summary, ludus-board")) return;
    const run = this.#runs.find(({ element }) => target instanceof Node && element.contains(target)) ?? this.#runs[0];
    if (run.key(event)) event.preventDefault();
  }
}

/**
 * Whether a search was completed.
 * @param {Ludus.Explanation} explanation
 */
function isComplete({ trace }) {
  return "passes" in trace && trace.passes.length > 0 && trace.passes.every(({ value }) => value !== null);
}

/**
 * @param {ExplainRequest} order
 * @param {string} player
 * @param {{ size: number, nodes?: number }} limits
 * @param {AbortSignal} signal
 * @returns {Promise<Ludus.Explanation>}
 */
function explain(order, player, limits, signal) {
  if (order.kind === "tree")
    return post("/explain/tree", { tree: order.tree, algorithm: player, order: order.order }, signal);
  return post(
    "/explain",
    { game: order.game, position: order.position, moves: order.moves, player, ...limits },
    signal,
  );
}

/**
 * @param {ExplainRequest} order
 * @param {number} index
 * @param {Ludus.Explanation} explanation
 * @returns {import("./explain/run.js").Subject}
 */
function subject(order, index, explanation) {
  const { title, player } = order.runs[index];
  const { answer } = order;
  if (order.kind === "tree" || !answer) return { title, player, explanation, place: null, names: ["Max", "Min"] };
  const place = { game: order.game, position: order.position, moves: order.moves, view: answer.view };
  const [first, second] = sideNames(answer);
  return { title, player, explanation, place, names: answer.turn === "first" ? [first, second] : [second, first] };
}

/** @type {Ludus.PageModule["show"]} */
export async function show(main, route) {
  const page = new ExplainPage();
  const stop = await page.show(main, route.query);
  return () => {
    stop();
    page.close();
  };
}
