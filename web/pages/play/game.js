/** A game in progress: board, players, moves, actions. */

import { get, post, socket } from "../../lib/api.js";
import { el, on, replace, setText, showError, toast } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { capital, gameSettings, lineWords, moveWords, playerName } from "../../lib/names.js";
import { newGame } from "../../lib/new-game.js";
import { preferredClock } from "../../lib/preferences.js";
import { isUnanswered, isUnavailable, Resend } from "../../lib/resend.js";
import { play as playSound } from "../../lib/sound.js";
import "../../board/board.js";
import { seatCard } from "../../forms/player-card.js";
import { Clock } from "./clock.js";
import { GameActions } from "./game-actions.js";
import { MoveList } from "./move-list.js";
import { ThinkingLine } from "./thinking-line.js";
import { UnsentNotice } from "./unsent-notice.js";

/**
 * @param {HTMLElement} main
 * @param {string} id
 * @returns {Promise<() => void>}
 */
export async function showGame(main, id) {
  const path = `/tables/${encodeURIComponent(id)}`;
  /** @type {Ludus.LiveGameView} */
  const table = await get(path);
  const page = new TablePage(path, table, await firstAtTheTop(path, table));
  main.append(page.element);
  return page.open();
}

/**
 * Whether the first side starts at the top of the board, which is then flipped for it.
 * @param {string} path
 * @param {Ludus.LiveGameView} table
 */
async function firstAtTheTop(path, table) {
  if (table.view.grid !== "checkered") return false;
  /** @type {{view: Ludus.BoardDiagram}} */
  const start = table.moves.length === 0 ? table : await get(`${path}/at/0`);
  const rows = { first: [0, 0], second: [0, 0] };
  start.view.cells.forEach(({ piece }, index) => {
    if (!piece) return;
    rows[piece.side][0] += Math.floor(index / start.view.columns);
    rows[piece.side][1] += 1;
  });
  const mean = (/** @type {number[]} */ [sum, count]) => sum / Math.max(1, count);
  return mean(rows.first) < mean(rows.second);
}

class TablePage {
  #path;
  #table;
  #firstOnTop;
  /** Ply of the position shown; null for the latest. @type {number | null} */
  #ply = null;
  /** @type {Map<number, Ludus.SnapshotView>} */
  #snapshots = new Map();
  #turned = false;
  #busy = false;
  /** Request that is not answered yet. @type {Resend<Ludus.LiveGameView> | null} */
  #request = null;
  /** @type {Ludus.Hint | null} */
  #hint = null;

  #board = el("ludus-board", {});
  #seats = { top: el("div", { class: "table-seat top" }), bottom: el("div", { class: "table-seat bottom" }) };
  #clocks = { first: new Clock(), second: new Clock() };
  #status = el("p", { class: "table-status", role: "status" });
  #unsent = new UnsentNotice();
  #notes = el("p", { class: "table-notes number" });
  #result = el("div", { class: "result", hidden: true });
  #moves = new MoveList((ply) => this.#look(ply));
  #thinking = new ThinkingLine();
  #actions;
  #steps = this.#buildSteps();
  element;

  /**
   * @param {string} path
   * @param {Ludus.LiveGameView} table
   * @param {boolean} firstOnTop
   */
  constructor(path, table, firstOnTop) {
    this.#path = path;
    this.#table = table;
    this.#firstOnTop = firstOnTop;
    this.#actions = new GameActions({
      path,
      act: (what, body) => this.#act(what, body),
      hint: () => this.#ask(),
      flip: () => {
        this.#turned = !this.#turned;
        this.#paintSeats();
        this.#paintBoard();
      },
      play: (move) => this.#play(move),
      rematch: () => this.#rematch(),
      showThinking: (shown) => {
        this.#thinking.shown = shown;
      },
    });
    this.#moves.words = (move) => moveWords(move, table.record_format);
    this.element = this.#build();
    this.#paintSeats();
    this.#setClocks();
    this.#paint();
  }

  /** Subscribes to updates of the game; returns the function that unsubscribes. */
  open() {
    /** @type {(message: Ludus.LiveGameMessage) => void} */
    const hear = (message) => {
      if (message.type === "table") this.#apply(message.table);
      if (message.type === "thinking") {
        this.#thinking.set(message.analysis, this.#table.record_format);
        if (this.#table.thinking === null) this.#thinking.rest();
      }
    };
    const live = socket(`${this.#path}/live`, hear, {
      onState: (state) => this.element.classList.toggle("offline", state === "lost"),
    });
    const stopKeys = on(document, "keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
    return () => {
      live.close();
      stopKeys();
      this.#request?.stop();
      this.#clocks.first.stop();
      this.#clocks.second.stop();
    };
  }

  #build() {
    const settings = gameSettings(this.#table.game);
    this.#board.addEventListener("move", (event) =>
      this.#play(/** @type {CustomEvent<Ludus.MoveView>} */ (event).detail.move),
    );
    this.#board.addEventListener("refused", (event) =>
      this.#refused(/** @type {CustomEvent<{cell: number}>} */ (event).detail.cell),
    );
    return el(
      "div",
      { class: "table-page" },
      el("h1", { class: "visually-hidden" }, `${this.#table.game_name} ${settings}`),
      this.#seats.top,
      el("div", { class: "table-board" }, this.#board),
      this.#seats.bottom,
      el(
        "div",
        { class: "table-side" },
        el(
          "div",
          { class: "card flush table-card" },
          el(
            "div",
            { class: "table-heading" },
            el(
              "h2",
              { class: "table-title" },
              this.#table.game_name,
              settings ? el("span", { class: "muted" }, ` · ${settings}`) : null,
            ),
            el("span", { class: "badge bad offline-badge", role: "status" }, "Reconnecting …"),
          ),
          this.#result,
          this.#status,
          this.#unsent.element,
          this.#notes,
          this.#thinking.element,
          this.#moves.element,
          this.#steps.element,
        ),
        this.#actions.element,
      ),
    );
  }

  #buildSteps() {
    /** @type {[import("../../lib/icons.js").IconName, string, () => number][]} */
    const ways = [
      ["first", "To the start", () => 0],
      ["back", "Previous move", () => this.#shownPly - 1],
      ["forward", "Next move", () => this.#shownPly + 1],
      ["last", "To the latest move", () => this.#table.moves.length],
    ];
    const buttons = ways.map(([symbol, words, target]) =>
      el(
        "button",
        {
          class: "button quiet icon",
          type: "button",
          title: words,
          "aria-label": words,
          onclick: () => this.#look(target()),
        },
        icon(symbol),
      ),
    );
    return { element: el("div", { class: "table-steps" }, buttons), buttons };
  }

  get #shownPly() {
    return this.#ply ?? this.#table.moves.length;
  }

  get #shownTurn() {
    return this.#table.moves[this.#shownPly]?.side ?? this.#table.turn;
  }

  /** The side at the near edge: the human's, if only one plays. */
  get #near() {
    const { first, second } = this.#table.sides;
    const near = first.player !== null && second.player === null ? "second" : "first";
    return this.#turned === (near === "first") ? "second" : "first";
  }

  get #people() {
    const { first, second } = this.#table.sides;
    return Number(first.player === null) + Number(second.player === null);
  }

  /** @param {Ludus.LiveGameView} table */
  #apply(table) {
    const before = this.#table;
    // A response may arrive after later updates, which already contain its change.
    if (table.version < before.version) return this.#paint();
    const grown = table.moves.length > before.moves.length;
    const shrunk = table.moves.length < before.moves.length;
    this.#table = table;
    if (grown || shrunk) this.#hint = null;
    if (shrunk) this.#forget(table.moves.length);
    if (grown) this.#heard(before, table);
    if (table.thinking === null) this.#thinking.rest();
    this.#setClocks();
    this.#paint();
  }

  /** Clock times of the latest update; from there the clocks run by themselves. */
  #setClocks() {
    const table = this.#table;
    const running = (/** @type {Ludus.SideName} */ side) =>
      table.ending === null && table.turn === side && table.moves.length > 0;
    for (const side of /** @type {const} */ (["first", "second"]))
      this.#clocks[side].set(table.sides[side].clock_ms, running(side));
  }

  /** @param {number} moves */
  #forget(moves) {
    for (const ply of this.#snapshots.keys()) if (ply > moves) this.#snapshots.delete(ply);
    if (this.#ply !== null && this.#ply >= moves) this.#ply = null;
  }

  /**
   * @param {Ludus.LiveGameView} before
   * @param {Ludus.LiveGameView} table
   */
  #heard(before, table) {
    const last = table.moves[table.moves.length - 1];
    const words = `${table.sides[last.side].name}: ${moveWords(last, table.record_format)}`;
    this.#board.announce(table.ending ? `${words}. ${table.ending.words}` : words);
    const men = (/** @type {Ludus.BoardDiagram} */ view) => view.cells.filter((cell) => cell.piece !== null).length;
    playSound(table.ending ? "end" : men(table.view) < men(before.view) ? "capture" : "move");
  }

  #paint() {
    const table = this.#table;
    for (const seat of Object.values(this.#seats)) {
      seat.classList.toggle("to-move", table.ending === null && seat.dataset.side === table.turn);
      seat.classList.toggle("thinking", table.thinking !== null && seat.dataset.side === table.thinking);
    }
    this.#moves.set(table.moves, table.first_turn, this.#shownPly);
    this.#steps.buttons.forEach((button, index) => {
      button.disabled = index < 2 ? this.#shownPly === 0 : this.#shownPly === table.moves.length;
    });
    this.#actions.paint(table, { live: this.#ply === null, near: this.#near, busy: this.#busy });
    this.#paintWords();
    this.#paintResult();
    this.#paintBoard();
  }

  #paintSeats() {
    const near = this.#near;
    const far = near === "first" ? "second" : "first";
    /** @type {[HTMLElement, Ludus.SideName][]} */
    const places = [
      [this.#seats.top, far],
      [this.#seats.bottom, near],
    ];
    for (const [place, side] of places) {
      place.dataset.side = side;
      replace(
        place,
        seatCard(this.#table.sides[side], this.#people),
        el("span", { class: "spinner", "aria-hidden": "true" }),
        this.#clocks[side].element,
      );
    }
  }

  #paintBoard() {
    const table = this.#table;
    const snapshot = this.#ply === null ? table : this.#snapshots.get(this.#ply);
    if (!snapshot) return;
    const mine = this.#ply === null && table.ending === null && table.sides[table.turn].player === null && !this.#busy;
    const board = this.#board;
    board.label = `${table.game_name} board, ${mine ? `${table.sides[table.turn].name} to move` : "not your turn"}`;
    board.view = snapshot.view;
    board.last = snapshot.last_cells;
    board.turn = table.turn;
    board.interactive = mine;
    if (board.legal !== table.legal || !mine) board.legal = mine ? table.legal : [];
    board.flipped =
      ((this.#near === "first") === this.#firstOnTop && table.view.grid === "checkered") ||
      (table.view.grid !== "checkered" && this.#turned);
    const cells = this.#ply === null ? (this.#hint?.cells ?? []) : [];
    board.arrows = legs(cells);
    board.marks = kingInCheck(snapshot.view, this.#shownTurn);
  }

  #paintWords() {
    const table = this.#table;
    const { player, name } = table.sides[table.turn];
    setText(
      this.#notes,
      (this.#ply === null ? table.view : (this.#snapshots.get(this.#ply)?.view ?? table.view)).notes
        .map(capital)
        .join(" · "),
    );
    this.#status.classList.toggle("past", this.#ply !== null);
    if (this.#ply !== null)
      return setText(
        this.#status,
        this.#ply === 0 ? "The start of the game" : `After move ${this.#ply} of ${table.moves.length}`,
      );
    if (table.ending) return setText(this.#status, "");
    if (this.#hint) return setText(this.#status, hintWords(this.#hint, table.record_format));
    if (player !== null) return setText(this.#status, playerWords(playerName(player), table));
    const forced = table.legal.length === 1 && table.legal[0].cells.length === 0;
    const turn = this.#people === 1 ? `Your turn: you play ${name}` : `${name} to move`;
    return setText(this.#status, forced ? `${turn}. You can only pass.` : turn);
  }

  #paintResult() {
    const { ending, sides } = this.#table;
    this.#result.hidden = ending === null;
    if (!ending) return;
    const person = sides.first.player === null ? "first" : "second";
    const won =
      this.#people === 1 ? (ending.outcome === "draw" ? "draw" : ending.outcome === person ? "won" : "lost") : "over";
    const heading = {
      won: "You win",
      lost: "You lose",
      draw: "A draw",
      over:
        ending.outcome === "draw"
          ? "A draw"
          : `${sides[ending.outcome].name} ${sides[ending.outcome].name.endsWith("s") ? "win" : "wins"}`,
    }[won];
    this.#result.className = `result ${won}`;
    replace(
      this.#result,
      el("p", { class: "result-heading" }, heading),
      el("p", { class: "result-words" }, ending.words),
    );
  }

  /** @param {number} ply */
  async #look(ply) {
    const newest = this.#table.moves.length;
    const wanted = Math.max(0, Math.min(newest, ply));
    this.#ply = wanted === newest ? null : wanted;
    try {
      if (this.#ply !== null && !this.#snapshots.has(wanted))
        this.#snapshots.set(wanted, await get(`${this.#path}/at/${wanted}`));
      this.#paint();
    } catch (error) {
      showError(error);
    }
  }

  /**
   * Explains a refused click: which pieces can move instead, or that a point is forbidden.
   * @param {number} cell
   */
  #refused(cell) {
    const { view, turn, legal } = this.#table;
    const { name, piece } = view.cells[cell];
    if (piece?.side === turn && piece.kind !== "coins") {
      const movable = [...new Set(legal.filter((move) => move.cells.length > 1).map((move) => move.cells[0]))];
      this.#board.marks = movable.map((movableCell) => ({ cell: movableCell }));
      if (movable.length > 0) setText(this.#status, "That piece cannot move: try one of the marked ones.");
    } else if (!piece && name && legal.every((move) => move.cells.length < 2)) {
      const why = view.grid === "intersections" ? ": it would repeat a position (ko) or be suicide" : " now";
      setText(this.#status, `${name} is not allowed${why}.`);
    }
  }

  /**
   * @param {string} move
   * @returns {Promise<boolean>} whether it was made
   */
  async #play(move) {
    const made = await this.#act("move", { move, ply: this.#table.moves.length });
    this.#board.settle();
    return made;
  }

  /**
   * @param {string} what
   * @param {object} body
   * @returns {Promise<boolean>} whether it was done
   */
  async #act(what, body) {
    if (this.#busy) return false;
    this.#busy = true;
    try {
      const table = await this.#sendUntilAnswered(what, body);
      this.#answered();
      const declined = what === "draw" && table.ending === null && table.draw_offer === null;
      if (declined) toast("The draw offer was declined.");
      this.#apply(table);
      return true;
    } catch (error) {
      this.#answered();
      showError(error);
      this.#paint();
      return false;
    }
  }

  /**
   * Sends a request again while it cannot be saved. A move has a number, so it is also sent again if its answer did not arrive.
   * @param {string} what
   * @param {object} body
   */
  #sendUntilAnswered(what, body) {
    const isMove = what === "move";
    /** @type {Resend<Ludus.LiveGameView>} */
    const request = new Resend(() => post(`${this.#path}/${what}`, body), {
      isTemporary: isMove ? isUnanswered : isUnavailable,
      onWaiting: (error) => {
        this.#unsent.show(isMove ? "Your move" : "Your request", error, () => request.now());
        this.#paint();
      },
    });
    this.#request = request;
    return request.run();
  }

  #answered() {
    this.#busy = false;
    this.#request = null;
    this.#unsent.hide();
  }

  async #ask() {
    setText(this.#status, "Searching for a move …");
    try {
      const version = this.#table.version;
      /** @type {Ludus.Hint} */
      const hint = await post(`${this.#path}/hint`);
      if (version === this.#table.version) this.#hint = hint;
    } catch (error) {
      showError(error);
    }
    this.#paint();
  }

  /** Starts the same game with the sides exchanged. */
  async #rematch() {
    const { game, sides, limits, start } = this.#table;
    const clock = sides.first.clock_ms === null ? undefined : preferredClock();
    try {
      /** @type {Ludus.PositionView} */
      const usual = await post("/positions", { game });
      const input = {
        game,
        first: sides.second.player,
        second: sides.first.player,
        ...(clock ? { clock } : { limits }),
        ...(usual.start === start ? {} : { position: start }),
      };
      const request = newGame(input, (error) =>
        this.#unsent.show("Your request for a rematch", error, () => request.now()),
      );
      this.#request = request;
      const table = await request.run();
      location.hash = `#/play/${encodeURIComponent(table.id)}`;
    } catch (error) {
      this.#unsent.hide();
      showError(error);
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const typing = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const newest = this.#table.moves.length;
    /** @type {Record<string, number>} */
    const targets = { ArrowLeft: this.#shownPly - 1, ArrowRight: this.#shownPly + 1, Home: 0, End: newest };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    void this.#look(target);
  }
}

/**
 * State of the player to move.
 * @param {string} name
 * @param {Ludus.LiveGameView} table
 */
function playerWords(name, { error, not_saved }) {
  if (error !== null) return `${name} did not move: ${error}`;
  if (not_saved !== null) return `The move of ${name} is not saved: ${not_saved}. Trying again …`;
  return `${name} is thinking …`;
}

/**
 * Arrows along the path of a move: one a jump.
 * @param {number[]} cells
 * @returns {Ludus.Arrow[]}
 */
function legs(cells) {
  if (cells.length === 1) return [{ from: cells[0], to: cells[0] }];
  return cells.slice(1).map((to, index) => ({ from: cells[index], to }));
}

/**
 * A red ring around a king in check.
 * @param {Ludus.BoardDiagram} view
 * @param {Ludus.SideName} turn
 * @returns {Ludus.Mark[]}
 */
function kingInCheck(view, turn) {
  if (!view.notes.includes("check") && !view.notes.includes("checkmate")) return [];
  const cell = view.cells.findIndex(({ piece }) => piece?.kind === "king" && piece.side === turn);
  return cell < 0 ? [] : [{ cell, shape: "ring", colour: "var(--bad)" }];
}

/**
 * @param {Ludus.Hint} hint
 * @param {Ludus.RecordFormat} format
 */
function hintWords({ move, analysis }, format) {
  const score = analysis.score_words ? ` (${analysis.score_words})` : "";
  return `Try ${lineWords(analysis, format)[0] ?? move}${score}`;
}
