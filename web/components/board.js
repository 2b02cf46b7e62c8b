/** <ludus-board>: one board for every game, drawn from the server's view of it. */

export class LudusBoard extends HTMLElement {
  /** @type {Ludus.View | null} */
  view = null;
  /** @type {number[]} */
  last = [];
  /** @type {Ludus.Move[]} */
  legal = [];
  /** @type {Ludus.Arrow[]} */
  arrows = [];
  /** @type {Ludus.Mark[]} */
  marks = [];
  /** @type {Ludus.CellText[]} */
  numbers = [];
  /** @type {number[] | null} */
  heat = null;
  flipped = false;
  interactive = false;
}

customElements.define("ludus-board", LudusBoard);
