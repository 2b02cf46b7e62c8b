/** Actions in a game besides moving. */

import { download, text as getText } from "../../lib/api.js";
import { el, setText, showError, toast } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { setSound, soundOn } from "../../lib/sound.js";

const THINKING_KEY = "ludus.thinking";

/**
 * @typedef {object} GameCommands
 * @property {string} path of the game, below /api
 * @property {(what: string, body: object) => Promise<unknown>} act
 * @property {() => Promise<void>} hint
 * @property {() => void} flip
 * @property {(move: string) => Promise<boolean>} play resolves to whether the move was made
 * @property {() => Promise<void>} rematch
 * @property {(shown: boolean) => void} showThinking
 */

export class GameActions {
  #commands;
  /** @type {Ludus.LiveGameView | null} */
  #table = null;
  /** @type {Ludus.SideName} */
  #near = "first";
  #undo = this.#button("undo", "Undo", () => this.#commands.act("undo", {}));
  #hint = this.#button("hint", "Hint", () => this.#commands.hint());
  #pass = this.#button("pass", "Pass", () => this.#passTurn());
  #draw = this.#button("draw", "Draw", () => this.#commands.act("draw", {}));
  #offerWords = el("span", {});
  #offer = el(
    "div",
    { class: "row spread draw-offer", role: "status", hidden: true },
    this.#offerWords,
    el(
      "span",
      { class: "row" },
      el("button", { class: "button primary", type: "button", onclick: () => this.#acceptDraw() }, "Accept draw"),
      el(
        "button",
        { class: "button", type: "button", onclick: () => void this.#commands.act("draw/decline", {}) },
        "Decline",
      ),
    ),
  );
  #resign = this.#button("flag", "Resign", () => this.#confirmResign());
  #go = this.#button("play", "Move now", () => this.#commands.act("go", {}));
  #flip = this.#button("flip", "Flip", () => this.#commands.flip());
  #rematch = el(
    "button",
    { class: "button primary grow", type: "button", onclick: () => void this.#commands.rematch() },
    "Rematch",
  );
  #again = el(
    "div",
    { class: "row after-game", hidden: true },
    this.#rematch,
    el("a", { class: "button grow", href: "#/play" }, "New game"),
  );
  #typed = el("input", {
    class: "input",
    id: "typed-move",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Type a move",
    "aria-label": "Type a move",
  });
  #form = el(
    "form",
    { class: "row nowrap typed-move" },
    this.#typed,
    el("button", { class: "button", type: "submit" }, "Play"),
  );
  #sound = this.#toggle("Sounds", soundOn(), setSound);
  #thinking;
  #analyse = el("a", { class: "button quiet" }, icon("analyse"), "Analyse");
  #another = el("a", { class: "button quiet", href: "#/play" }, icon("plus"), "New game");
  element;

  /** @param {GameCommands} commands */
  constructor(commands) {
    this.#commands = commands;
    const shown = remembered();
    commands.showThinking(shown);
    this.#thinking = this.#toggle("Show the opponent’s analysis", shown, (on) => {
      remember(on);
      commands.showThinking(on);
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#playTyped();
    });
    const id = commands.path.split("/").pop() ?? "";
    this.#analyse.href = `#/analyse?table=${id}`;
    this.element = el(
      "div",
      { class: "table-actions" },
      this.#again,
      this.#offer,
      el(
        "div",
        { class: "action-row" },
        this.#undo,
        this.#hint,
        this.#pass,
        this.#go,
        this.#draw,
        this.#resign,
        this.#flip,
      ),
      this.#form,
      el(
        "details",
        { class: "disclosure" },
        el("summary", {}, "Record, sounds and more"),
        el(
          "div",
          { class: "column tight" },
          el(
            "div",
            { class: "row" },
            el(
              "button",
              { class: "button", type: "button", onclick: () => void this.#copy() },
              icon("copy"),
              "Copy record",
            ),
            el(
              "button",
              { class: "button", type: "button", onclick: () => void this.#download() },
              icon("download"),
              "Download",
            ),
          ),
          this.#thinking,
          this.#sound,
        ),
      ),
      el("div", { class: "row" }, this.#analyse, this.#another),
    );
  }

  /**
   * @param {Ludus.LiveGameView} table
   * @param {{live: boolean, near: Ludus.SideName, busy: boolean}} state
   */
  paint(table, { live, near }) {
    this.#table = table;
    this.#near = near;
    const over = table.ending !== null;
    const people = [table.sides.first, table.sides.second].filter((seat) => seat.player === null).length;
    const mine = !over && live && table.sides[table.turn].player === null;
    const pass = table.legal.find((move) => move.cells.length === 0);
    this.#undo.hidden = this.#hint.hidden = people === 0;
    this.#undo.disabled = table.moves.length === 0;
    this.#hint.disabled = !mine;
    this.#pass.hidden = !mine || !pass;
    this.#pass.classList.toggle("primary", table.legal.length === 1);
    const failed = table.error !== null;
    this.#go.hidden = over || (table.thinking === null && !failed);
    const words = this.#go.lastElementChild;
    if (words) setText(words, failed ? "Try again" : "Move now");
    this.#draw.hidden = this.#resign.hidden = people === 0;
    this.#draw.disabled = over || table.draw_offer !== null || (people === 1 && !mine);
    this.#resign.disabled = over;
    this.#offer.hidden = table.draw_offer === null;
    setText(this.#offerWords, table.draw_offer === null ? "" : offerWords(table, table.draw_offer));
    this.#form.hidden = people === 0 || over;
    this.#typed.disabled = !mine;
    this.#again.hidden = !over;
    this.#another.hidden = over;
  }

  #passTurn() {
    const pass = this.#table?.legal.find((move) => move.cells.length === 0);
    return pass ? this.#commands.play(pass.move) : Promise.resolve();
  }

  #acceptDraw() {
    const offers = this.#table?.draw_offer;
    if (offers) void this.#commands.act("draw", { side: other(offers) });
  }

  /** Accepts a move in the notation of records or of the command line. */
  async #playTyped() {
    const typed = this.#typed.value.trim();
    if (!typed || !this.#table) return;
    const same = (/** @type {string} */ text) => text.toLowerCase() === typed.toLowerCase();
    const known =
      this.#table.legal.find((move) => move.move === typed || move.label === typed) ??
      this.#table.legal.find((move) => same(move.move) || same(move.label));
    // A rejected move stays in the field, to be corrected.
    if (await this.#commands.play(known?.move ?? typed)) this.#typed.value = "";
  }

  async #confirmResign() {
    const table = this.#table;
    if (!table) return;
    const side =
      table.sides[table.turn].player === null && table.sides.first.player === table.sides.second.player
        ? table.turn
        : this.#person(table);
    const sure = await confirm("Resign this game?", "The game ends and your opponent wins.", "Resign");
    if (sure) await this.#commands.act("resign", { side });
  }

  /** @param {Ludus.LiveGameView} table */
  #person(table) {
    if (table.sides.first.player === null && table.sides.second.player === null) return this.#near;
    return table.sides.first.player === null ? "first" : "second";
  }

  async #copy() {
    try {
      const record = await getText(`${this.#commands.path}/record`);
      try {
        await navigator.clipboard.writeText(record);
        toast("Record copied.");
      } catch {
        showRecord(record);
      }
    } catch (error) {
      showError(error);
    }
  }

  async #download() {
    try {
      const name = `ludus-${this.#table?.id ?? "game"}.${this.#table?.record_format ?? "txt"}`;
      await download(`${this.#commands.path}/record?download=1`, name);
    } catch (error) {
      showError(error);
    }
  }

  /**
   * @param {import("../../lib/icons.js").IconName} symbol
   * @param {string} words
   * @param {() => unknown} act
   */
  #button(symbol, words, act) {
    return el(
      "button",
      { class: "button action", type: "button", onclick: () => void act() },
      icon(symbol),
      el("span", {}, words),
    );
  }

  /**
   * @param {string} words
   * @param {boolean} on
   * @param {(on: boolean) => void} set
   */
  #toggle(words, on, set) {
    const input = el("input", { type: "checkbox", class: "switch", role: "switch", ".checked": on });
    input.addEventListener("change", () => set(input.checked));
    return el("label", { class: "check" }, input, el("span", {}, words));
  }
}

/** @param {Ludus.SideName} side */
function other(side) {
  return side === "first" ? "second" : "first";
}

/**
 * @param {Ludus.LiveGameView} table
 * @param {Ludus.SideName} offers
 */
function offerWords({ sides }, offers) {
  const name = sides[offers].name;
  return `${name} ${name.endsWith("s") ? "offer" : "offers"} ${sides[other(offers)].name} a draw.`;
}

/**
 * Asks for confirmation of something that cannot be undone.
 * @param {string} title
 * @param {string} words
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
function confirm(title, words, yes) {
  return new Promise((resolve) => {
    const box = el(
      "dialog",
      { "aria-label": title },
      el("h2", {}, title),
      el("p", { class: "muted" }, words),
      el(
        "form",
        { method: "dialog", class: "dialog-buttons" },
        el("button", { class: "button", value: "no" }, "Play on"),
        el("button", { class: "button danger", value: "yes" }, yes),
      ),
    );
    box.addEventListener("close", () => {
      box.remove();
      resolve(box.returnValue === "yes");
    });
    document.body.append(box);
    box.showModal();
  });
}

/**
 * For browsers without clipboard access.
 * @param {string} record
 */
function showRecord(record) {
  const area = el("textarea", { class: "input", rows: 12, readonly: true, "aria-label": "Record", ".value": record });
  const box = el(
    "dialog",
    { "aria-label": "Record of the game" },
    el("h2", {}, "Record of the game"),
    area,
    el("form", { method: "dialog", class: "dialog-buttons" }, el("button", { class: "button" }, "Close")),
  );
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
  area.select();
}

function remembered() {
  try {
    return localStorage.getItem(THINKING_KEY) === "on";
  } catch {
    return false;
  }
}

/** @param {boolean} on */
function remember(on) {
  try {
    localStorage.setItem(THINKING_KEY, on ? "on" : "off");
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
