/** Analyse page: any position or game, analysed by several engines, with variations. */

import { toggle } from "../forms/fields.js";
import { games as gallery, get, post } from "../lib/api.js";
import { el, errorText, on, replace, setText, showError, toast } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { sideNames } from "../lib/names.js";
import { readSpec } from "../lib/specs.js";
import { AnalysisFeed } from "./analyse/analysis-feed.js";
import { EnginePanel, linesOf } from "./analyse/engine-panel.js";
import { GameTree } from "./analyse/game-tree.js";
import { openRecordDialog } from "./analyse/open-record.js";
import { recordText } from "./analyse/record-text.js";
import { annotationFor, ReviewPanel } from "./analyse/review-panel.js";
import { VariationList } from "./analyse/variation-list.js";
import "../board/board.js";
import "../charts/score-bar.js";
import "../charts/score-graph.js";

/** @typedef {import("./analyse/game-tree.js").GameNode} GameNode */
/** @typedef {import("../charts/score-bar.js").ScoreBar} ScoreBar */
/** @typedef {import("../charts/score-graph.js").ScoreGraph} ScoreGraph */

const DEFAULT_GAME = "chess";
const LINES_PER_ENGINE = 3;
/** Largest number of cells on all boards of one response. */
const MAX_CELLS = 12_000;
const TIMES = [
  [10, "10 seconds"],
  [60, "1 minute"],
  [600, "10 minutes"],
];

class AnalysePage {
  /** @type {Ludus.GameCard[]} */
  #games = [];
  /** @type {GameTree | null} */
  #tree = null;
  /** @type {GameNode | null} */
  #current = null;
  #feed = new AnalysisFeed();
  #stopSearch = () => {};
  #stopReview = () => {};
  #asked = 0;
  /** @type {Map<string, Ludus.Analysis>} what analysis of the position by player */
  #findings = new Map();
  /** @type {number[] | null} */
  #owners = null;
  #board = el("ludus-board", { class: "analyse-board" });
  #bar = /** @type {ScoreBar} */ (document.createElement("ludus-score-bar"));
  #graph = /** @type {ScoreGraph} */ (document.createElement("ludus-score-graph"));
  #title = el("h1", { class: "page-title" }, "Analyse");
  #status = el("p", { class: "analyse-status", "aria-live": "polite" });
  #verdict = el("p", { class: "analyse-verdict badge info", hidden: true });
  #position = el("code", { class: "code analyse-position" });
  #engines = new EnginePanel(() => this.#restart());
  #moves = new VariationList((node) => void this.#go(node));
  #review = new ReviewPanel(
    (player, nodes) => this.#startReview(player, nodes),
    () => this.#endReview(),
  );
  #search = toggle("Search this position", false, () => this.#restart());
  #arrows = toggle("Arrows", true, () => this.#paintFindings());
  #territory = toggle("Territory", true, () => this.#paintFindings());
  #time = el(
    "select",
    { class: "select", "aria-label": "Time for each position", onchange: () => this.#restart() },
    TIMES.map(([seconds, words]) => el("option", { value: seconds }, words)),
  );

  /**
   * @param {HTMLElement} main
   * @param {URLSearchParams} query
   */
  async show(main, query) {
    this.#games = gallery();
    this.#build(main);
    this.#open(await this.#wanted(query));
    const off = [
      on(document, "keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event)),
      on(this.#board, "move", (/** @type {CustomEvent<Ludus.MoveView>} */ event) => void this.#play(event.detail)),
      on(this.#graph, "ply", (/** @type {CustomEvent<{ ply: number }>} */ event) => this.#goToPly(event.detail.ply)),
    ];
    return () => {
      for (const stop of off) stop();
      this.#feed.close();
    };
  }

  /**
   * @param {URLSearchParams} query
   * @returns {Promise<Ludus.PositionView>}
   */
  async #wanted(query) {
    const [table, stored] = [query.get("table"), query.get("game")];
    if (table) {
      /** @type {Ludus.LiveGameView} */
      const { game, start, moves } = await get(`/tables/${encodeURIComponent(table)}?asleep=true`);
      return post("/positions", { game, position: start, moves: moves.map(({ move }) => move) });
    }
    if (stored && !this.#games.some(({ id }) => id === readSpec(stored).id)) {
      /** @type {{ game: string, record: string }} */
      const { game, record } = await get(`/games/${encodeURIComponent(stored)}`);
      return post("/positions", { game, record });
    }
    const moves = query.get("moves")?.split(" ").filter(Boolean);
    return post("/positions", { game: stored ?? DEFAULT_GAME, position: query.get("position") ?? undefined, moves });
  }

  /** @param {HTMLElement} main */
  #build(main) {
    this.#board.interactive = true;
    replace(
      main,
      el(
        "div",
        { class: "page analyse-page" },
        this.#head(),
        el("div", { class: "split analyse-split" }, this.#boardColumn(), this.#sideColumn()),
      ),
    );
  }

  #head() {
    const button = (
      /** @type {import("../lib/icons.js").IconName} */ face,
      /** @type {string} */ words,
      /** @type {() => void} */ act,
      title = "",
    ) => el("button", { type: "button", class: "button", title, onclick: act }, icon(face), words);
    return el(
      "div",
      { class: "analyse-head" },
      this.#title,
      el(
        "div",
        { class: "row" },
        button("board", "Open…", () =>
          openRecordDialog(this.#games, readSpec(this.#tree?.game ?? DEFAULT_GAME).id, (answer) => this.#open(answer)),
        ),
        button("copy", "Position", () => void this.#copy("position"), "Copy the position"),
        button("copy", "Record", () => void this.#copy("record"), "Copy the game and its variations"),
      ),
    );
  }

  /** The board with what belongs to its position. */
  #boardColumn() {
    const tool = (
      /** @type {import("../lib/icons.js").IconName} */ face,
      /** @type {string} */ label,
      /** @type {() => void} */ act,
    ) =>
      el(
        "button",
        { type: "button", class: "button quiet icon", title: label, "aria-label": label, onclick: act },
        icon(face),
      );
    return el(
      "div",
      { class: "analyse-main" },
      el("div", { class: "analyse-place" }, this.#bar, this.#board),
      el(
        "div",
        { class: "analyse-steps" },
        tool("first", "To the start (Home)", () => this.#step("start")),
        tool("back", "Back (left)", () => this.#step("back")),
        tool("forward", "Forward (right)", () => this.#step("forward")),
        tool("last", "To the end (End)", () => this.#step("end")),
        tool("flip", "Flip the board (f)", () => this.#flip()),
        this.#status,
      ),
      this.#verdict,
      this.#graph,
      this.#position,
    );
  }

  /** Engines, moves and review. */
  #sideColumn() {
    return el(
      "div",
      { class: "analyse-side" },
      el(
        "section",
        { class: "card", "aria-label": "Engines" },
        el("div", { class: "analyse-switches" }, this.#search.element, this.#time),
        el("div", { class: "analyse-switches" }, this.#arrows.element, this.#territory.element),
        this.#engines.element,
      ),
      el(
        "section",
        { class: "card", "aria-label": "Moves" },
        this.#moves.element,
        el(
          "div",
          { class: "row variation-tools" },
          el("button", { type: "button", class: "button quiet", onclick: () => this.#promote() }, "Make main line"),
          el(
            "button",
            { type: "button", class: "button quiet danger", onclick: () => void this.#remove() },
            "Delete from here",
          ),
        ),
      ),
      el(
        "section",
        { class: "card", "aria-label": "Review" },
        el("h2", { class: "card-title" }, "Review"),
        this.#review.element,
      ),
    );
  }

  /** @param {Ludus.PositionView} answer */
  #open(answer) {
    this.#endReview();
    const game = this.#games.find(({ id }) => id === readSpec(answer.game).id);
    this.#tree = new GameTree(answer, game?.record_format ?? "pgn");
    if (game) {
      this.#engines.setGame(game);
      this.#review.setGame(game);
    }
    setText(this.#title, `Analyse ${answer.game_name}`);
    this.#territory.element.hidden = readSpec(answer.game).id !== "go";
    this.#drawMoves();
    void this.#go(this.#tree.end);
  }

  #drawMoves() {
    if (this.#tree) this.#moves.draw(this.#tree, annotationFor);
  }

  /** @param {GameNode} node */
  async #go(node) {
    const isNew = node !== this.#current;
    this.#current = node;
    if (isNew) this.#forget();
    this.#paintPosition();
    this.#tellReview();
    if (isNew) this.#restart();
    if (!node.answer) await this.#load(node);
  }

  /** @param {GameNode} node */
  async #load(node) {
    const tree = this.#tree;
    if (!tree) return;
    this.#asked += 1;
    const number = this.#asked;
    try {
      /** @type {Ludus.PositionView} */
      const answer = await post("/positions", { game: tree.game, ...this.#wayTo(node, tree.start) });
      const last = answer.moves.length > 0 ? answer.last_cells : node.last;
      Object.assign(node, { answer, view: answer.view, last, position: answer.position, turn: answer.turn });
      const own = answer.moves[answer.moves.length - 1];
      if (own && node.parent) node.label = tree.nameOf(own.move, own.label);
      if (number === this.#asked && node === this.#current) this.#paintPosition();
    } catch (error) {
      if (number === this.#asked) showError(error);
    }
  }

  /**
   * Fields of a request that lead to a node. The response has every board on the path, so a long path on a large board starts at the
   * last known position; repetitions before it are then unknown.
   * @param {GameNode} node
   * @param {string} start
   */
  #wayTo(node, start) {
    const cells = this.#board.view?.cells.length ?? 0;
    if (node.ply * cells <= MAX_CELLS) return { position: start, moves: node.moves() };
    const line = node.line();
    const known = line.findLastIndex(({ position }) => position !== "");
    return { position: line[known]?.position ?? start, moves: line.slice(known + 1).map(({ move }) => move) };
  }

  #paintPosition() {
    const [tree, node] = [this.#tree, this.#current];
    if (!tree || !node) return;
    if (node.view) Object.assign(this.#board, { view: node.view, last: node.last });
    Object.assign(this.#board, { legal: node.answer?.legal ?? [], turn: node.turn });
    setText(this.#position, node.position);
    const ending = node.answer?.ending;
    setText(this.#status, ending ? ending.words : `${this.#sideNames()[node.turn === "first" ? 0 : 1]} to move`);
    this.#moves.mark(node);
    this.#paintFindings();
  }

  /** @returns {[string, string]} */
  #sideNames() {
    const answer = this.#tree?.end.answer ?? this.#current?.answer;
    return answer ? sideNames(answer) : ["First", "Second"];
  }

  #forget() {
    this.#stopSearch();
    this.#stopSearch = () => {};
    this.#findings.clear();
    this.#owners = null;
    this.#verdict.hidden = true;
    this.#engines.clear();
  }

  /** Restarts the analysis, if it is switched on. */
  #restart() {
    const [tree, node] = [this.#tree, this.#current];
    this.#forget();
    this.#paintFindings();
    this.#engines.element.classList.toggle("idle", !this.#search.input.checked);
    if (!tree || !node || !this.#search.input.checked || this.#engines.players.length === 0) return;
    if (node.answer?.ending) return;
    this.#stopSearch = this.#feed.analyse(
      {
        game: tree.game,
        position: tree.start,
        moves: node.moves(),
        players: this.#engines.players,
        lines: LINES_PER_ENGINE,
        seconds: Number(this.#time.value),
      },
      {
        analysis: (player, analysis) => this.#found(node, player, analysis),
        ownership: (owners) => {
          this.#owners = owners;
          this.#paintFindings();
        },
        verdict: (words) => {
          setText(this.#verdict, words);
          this.#verdict.hidden = false;
        },
        error: (message, player) => this.#engines.fail(message, player),
      },
    );
  }

  /**
   * @param {GameNode} node
   * @param {string} player
   * @param {Ludus.Analysis} analysis
   */
  #found(node, player, analysis) {
    if (node !== this.#current) return;
    this.#findings.set(player, analysis);
    this.#engines.show(player, analysis, this.#lines(node, analysis), (moves, labels) =>
      this.#follow(node, moves, labels),
    );
    this.#paintFindings();
  }

  /**
   * @param {GameNode} node
   * @param {Ludus.Analysis} analysis
   */
  #lines(node, analysis) {
    const legal = node.answer?.legal ?? [];
    const plain = this.#tree?.format === "sgf";
    const labelOf = (/** @type {string} */ move) =>
      plain ? move : (legal.find((entry) => entry.move === move)?.label ?? move);
    return linesOf(analysis, LINES_PER_ENGINE, node.turn, labelOf, plain);
  }

  /** Shows the results of the engines: bar, arrows, territory, graph. */
  #paintFindings() {
    const node = this.#current;
    if (!node) return;
    const first = this.#findings.get(this.#engines.players[0] ?? "");
    const live = first && first.score !== null ? first.score * (node.turn === "first" ? 1 : -1) : null;
    const score = live ?? node.review?.score ?? null;
    const isDark = this.#board.view?.cells.find(({ piece }) => piece?.side === "first")?.piece?.light === false;
    const game = this.#tree?.game ?? "";
    this.#bar.show(score, this.#board.flipped, isDark, game);
    this.#board.arrows = this.#arrows.input.checked ? this.#arrowsOf(node) : [];
    this.#board.heat = this.#territory.input.checked ? this.#owners : null;
    const line = node.wholeLine();
    this.#graph.show(
      line.map((at) => ({ score: at.review?.score ?? null, label: at.label, annotation: annotationFor(at) })),
      node.ply,
      game,
    );
    this.#graph.hidden = !line.some(({ review }) => review);
  }

  /**
   * @param {GameNode} node
   * @returns {Ludus.Arrow[]}
   */
  #arrowsOf(node) {
    const legal = node.answer?.legal ?? [];
    const cellsOf = (/** @type {string | undefined} */ move) => legal.find((entry) => entry.move === move)?.cells ?? [];
    return this.#engines.players.flatMap((player, place) => {
      const analysis = this.#findings.get(player);
      if (!analysis) return [];
      return this.#lines(node, analysis).flatMap(({ moves }, rank) => {
        const cells = rank === 0 && analysis.best_cells?.length ? analysis.best_cells : cellsOf(moves[0]);
        if (cells.length === 0 || (rank > 0 && place > 0)) return [];
        return [
          {
            from: cells[0],
            to: cells[cells.length - 1],
            strength: [1, 0.5, 0.3][rank] ?? 0.3,
            colour: `var(--series-${(place % 6) + 1})`,
          },
        ];
      });
    });
  }

  /**
   * Adds a line of an engine to the variations and goes to its end.
   * @param {GameNode} from
   * @param {string[]} moves
   * @param {string[]} labels
   */
  #follow(from, moves, labels) {
    const tree = this.#tree;
    if (!tree) return;
    let node = from;
    moves.forEach((move, index) => {
      node = tree.add(node, move, labels[index] ?? move);
    });
    this.#drawMoves();
    void this.#go(node);
  }

  /** @param {Ludus.MoveView} move */
  async #play({ move, label }) {
    const [tree, node] = [this.#tree, this.#current];
    if (!tree || !node) return;
    const next = tree.add(node, move, tree.nameOf(move, label));
    this.#drawMoves();
    await this.#go(next);
  }

  #promote() {
    if (!this.#tree || !this.#current) return;
    this.#tree.promote(this.#current);
    this.#drawMoves();
    this.#paintPosition();
  }

  async #remove() {
    if (!this.#tree || !this.#current) return;
    const left = this.#tree.remove(this.#current);
    this.#drawMoves();
    await this.#go(left);
  }

  /** @param {"start" | "back" | "forward" | "end" | "other"} where */
  #step(where) {
    const node = this.#current;
    if (!node) return;
    const line = node.wholeLine();
    const siblings = node.parent?.children ?? [node];
    const target = {
      start: line[0],
      back: node.parent ?? node,
      forward: node.children[0] ?? node,
      end: line[line.length - 1],
      other: siblings[(siblings.indexOf(node) + 1) % siblings.length],
    }[where];
    void this.#go(target);
  }

  /** @param {number} ply */
  #goToPly(ply) {
    const target = this.#current?.wholeLine()[ply];
    if (target) void this.#go(target);
  }

  #flip() {
    this.#board.flipped = !this.#board.flipped;
    this.#paintFindings();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("input, select, textarea, dialog, ludus-score-graph"))
      return;
    const steps = /** @type {const} */ ({
      ArrowLeft: "back",
      ArrowRight: "forward",
      Home: "start",
      End: "end",
      v: "other",
    });
    const step = steps[/** @type {keyof typeof steps} */ (event.key)];
    if (step) this.#step(step);
    else if (event.key === "f") this.#flip();
    else return;
    event.preventDefault();
  }

  /** @param {"position" | "record"} what */
  async #copy(what) {
    if (!this.#tree || !this.#current) return;
    try {
      await navigator.clipboard.writeText(what === "position" ? this.#current.position : recordText(this.#tree));
      toast(what === "position" ? "Position copied" : "Record copied");
    } catch (error) {
      toast(`Copying failed: ${errorText(error)}`, "error");
    }
  }

  /**
   * @param {string} player
   * @param {number} nodes
   */
  #startReview(player, nodes) {
    const [tree, node] = [this.#tree, this.#current];
    if (!tree || !node) return;
    const line = node.wholeLine();
    this.#stopReview();
    this.#review.progress(true, 0, line.length);
    this.#stopReview = this.#feed.review(
      { game: tree.game, position: tree.start, moves: line[line.length - 1].moves(), player, nodes },
      {
        ply: ({ ply, score, best, label }) => {
          const at = line[ply];
          if (!at) return;
          at.review = { score, best, label: tree.format === "sgf" ? best : label };
          this.#review.progress(true, ply + 1, line.length);
          this.#paintFindings();
        },
        done: () => this.#endReview(),
        error: (message) => {
          this.#endReview();
          this.#review.fail(message);
        },
      },
    );
  }

  #endReview() {
    this.#stopReview();
    this.#stopReview = () => {};
    this.#review.progress(false, 0, 1);
    if (!this.#current) return;
    this.#drawMoves();
    this.#paintPosition();
    this.#tellReview();
  }

  #tellReview() {
    if (this.#current)
      this.#review.update(this.#current.wholeLine(), this.#current, this.#sideNames(), (node) => void this.#go(node));
  }
}

/** @type {Ludus.PageModule["show"]} */
export async function show(main, route) {
  return new AnalysePage().show(main, route.query);
}
