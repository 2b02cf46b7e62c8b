/** The moves of a game, two in a line; a click shows the position after the move. Lines are updated in place. */

import { el, setText } from "../../lib/dom.js";

export class MoveList {
  element = el("ol", { class: "move-list scroll", tabindex: "0", "aria-label": "Moves" });
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  /** Formats the label of a move. @type {(move: Ludus.PlayedMove) => string} */
  words = (move) => move.label || move.move;
  /** @type {Ludus.SideName | ""} */
  #firstTurn = "";
  #select;

  /** @param {(ply: number) => void} select called with the ply of the position to show */
  constructor(select) {
    this.#select = select;
  }

  /**
   * @param {Ludus.PlayedMove[]} moves
   * @param {Ludus.SideName} firstTurn
   * @param {number} ply ply of the position on the board
   */
  set(moves, firstTurn, ply) {
    if (firstTurn !== this.#firstTurn) this.#clear(firstTurn);
    while (this.#buttons.length > moves.length) this.#pop();
    moves.forEach((move, index) => {
      const button = this.#buttons[index] ?? this.#push(moves, index);
      setText(button, this.words(move));
    });
    this.#mark(ply);
  }

  /** @param {Ludus.SideName} firstTurn */
  #clear(firstTurn) {
    this.#firstTurn = firstTurn;
    this.#buttons = [];
    this.element.replaceChildren();
  }

  /**
   * A line has a move of each side; a side that moves twice (after an unrecorded pass) starts a new line.
   * @param {Ludus.PlayedMove[]} moves
   * @param {number} index
   */
  #push(moves, index) {
    const button = el("button", { type: "button", class: "move", onclick: () => this.#select(index + 1) });
    this.#buttons[index] = button;
    const line = this.element.lastElementChild;
    const joins = line && line.childElementCount < 3 && moves[index - 1]?.side !== moves[index].side;
    if (joins) line.append(button);
    else {
      const number = el("span", { class: "move-number number" }, `${this.element.childElementCount + 1}.`);
      this.element.append(el("li", {}, number, button));
    }
    return button;
  }

  #pop() {
    const button = this.#buttons.pop();
    const line = button?.parentElement;
    button?.remove();
    if (line && line.childElementCount < 2) line.remove();
  }

  /** @param {number} ply */
  #mark(ply) {
    this.#buttons.forEach((button, index) => {
      if (index + 1 === ply) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
    const current = this.#buttons[ply - 1];
    if (!current) {
      this.element.scrollTop = 0;
      return;
    }
    const line = /** @type {HTMLElement} */ (current.parentElement);
    const top = line.offsetTop - this.element.offsetTop;
    if (top < this.element.scrollTop || top + line.offsetHeight > this.element.scrollTop + this.element.clientHeight) {
      this.element.scrollTop = top - this.element.clientHeight / 2;
    }
  }
}
