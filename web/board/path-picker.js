/** Turns clicks on cells into one of the legal moves. Knows cells and moves, but no rules. */

/**
 * @typedef {{kind: "none"} | {kind: "step"} | {kind: "play", move: Ludus.MoveView} | {kind: "choose", moves: Ludus.MoveView[]}} Choice
 */

/**
 * Whether the cells clicked so far lie on the path of a move, in order, from its first cell.
 * @param {number[]} path
 * @param {number[]} cells
 */
function liesOn(path, cells) {
  if (path[0] !== cells[0]) return false;
  let at = 0;
  for (const cell of cells) if (cell === path[at]) at += 1;
  return at === path.length;
}

/** @param {Ludus.MoveView} move */
const end = (move) => move.cells[move.cells.length - 1];

export class PathPicker {
  /** The legal moves; a move with several paths is listed once for each. @type {Ludus.MoveView[]} */
  #legal = [];
  /** The cells clicked so far. @type {number[]} */
  path = [];
  /** Legal moves that fit the clicks so far. @type {Ludus.MoveView[]} */
  open = [];

  /** @param {Ludus.MoveView[]} legal */
  start(legal) {
    const ways = legal.flatMap((move) => [move, ...(move.other_ways ?? []).map((cells) => ({ ...move, cells }))]);
    this.#legal = ways.filter((move) => move.cells.length > 0);
    this.clear();
  }

  clear() {
    this.path = [];
    this.open = [];
  }

  /** @param {number} cell */
  canStart(cell) {
    return this.#legal.some((move) => move.cells[0] === cell);
  }

  /**
   * Whether a piece can be moved from this cell.
   * @param {number} cell
   */
  canLift(cell) {
    return this.#legal.some((move) => move.cells.length > 1 && move.cells[0] === cell);
  }

  /** Cells that complete a move with one click (`ends`), and cells on the path to them (`ways`). */
  targets() {
    if (this.path.length === 0) return { ends: new Set(this.#placements()), ways: new Set() };
    const differing = this.#waysApart();
    if (differing.length > 0) return { ends: new Set(), ways: new Set(differing) };
    const ends = new Set(this.open.map(end));
    const ways = new Set(this.open.flatMap((move) => this.#rest(move)).filter((cell) => !ends.has(cell)));
    return { ends, ways };
  }

  /**
   * Whether the move chosen so far can go on at `cell`.
   * @param {number} cell
   */
  isTarget(cell) {
    const { ends, ways } = this.targets();
    return ends.has(cell) || ways.has(cell);
  }

  /**
   * @param {number} cell
   * @returns {Choice}
   */
  click(cell) {
    return this.path.length === 0 ? this.#begin(cell) : this.#continue(cell);
  }

  /**
   * @param {number} cell
   * @returns {Choice}
   */
  #begin(cell) {
    const starting = this.#legal.filter((move) => move.cells[0] === cell);
    if (starting.length === 0) return { kind: "none" };
    if (starting.every((move) => move.cells.length === 1)) return settle(starting);
    this.path = [cell];
    this.open = starting;
    return { kind: "step" };
  }

  /**
   * @param {number} cell
   * @returns {Choice}
   */
  #continue(cell) {
    const path = [...this.path, cell];
    const apart = this.#waysApart();
    const matching =
      apart.length > 0
        ? this.open.filter((move) => apart.includes(cell) && move.cells.includes(cell))
        : this.open.filter((move) => liesOn(path, move.cells));
    if (matching.length === 0) return this.#restart(cell);
    const ending = apart.length > 0 ? matching : matching.filter((move) => end(move) === cell);
    if (ending.length > 0 && (apart.length > 0 || ending.length === matching.length)) return this.#narrow(ending, path);
    if (ending.length > 0) return settle(matching);
    // A click on the very next cell of some paths chooses between these.
    const nextOn = matching.filter((move) => this.#rest(move)[0] === cell);
    this.path = path;
    this.open = nextOn.length > 0 ? nextOn : matching;
    return { kind: "step" };
  }

  /**
   * All of `ending` end on the clicked cell; if their paths differ, further clicks choose between them.
   * @param {Ludus.MoveView[]} ending
   * @param {number[]} path
   * @returns {Choice}
   */
  #narrow(ending, path) {
    const ways = new Set(ending.map((move) => move.cells.join()));
    if (ways.size === 1 || distinct(ending).length === 1) return settle(ending);
    this.open = ending;
    this.path = path;
    return this.#waysApart().length > 0 ? { kind: "step" } : settle(ending);
  }

  /**
   * @param {number} cell
   * @returns {Choice}
   */
  #restart(cell) {
    const again = this.path.length > 1 || cell !== this.path[0];
    this.clear();
    return again ? this.#begin(cell) : { kind: "none" };
  }

  /**
   * The cells in which the open moves differ, once all of them end on the cell clicked last.
   * @returns {number[]}
   */
  #waysApart() {
    const last = this.path[this.path.length - 1];
    if (this.path.length < 2 || this.open.length < 2 || !this.open.every((move) => end(move) === last)) return [];
    const cells = new Set(this.open.flatMap((move) => move.cells));
    return [...cells].filter((cell) => {
      const through = this.open.filter((move) => move.cells.includes(cell)).length;
      return through > 0 && through < this.open.length;
    });
  }

  /** The path the piece has taken by the clicks so far; empty if that is ambiguous. */
  reached() {
    if (this.path.length < 2 || this.#waysApart().length > 0) return [];
    const last = this.path[this.path.length - 1];
    const ways = this.open.map(({ cells }) => cells.slice(0, cells.indexOf(last, this.path.length - 1) + 1));
    return ways.every((way) => way.join() === ways[0].join()) ? ways[0] : [];
  }

  /**
   * The rest of a move's path after the cells clicked so far.
   * @param {Ludus.MoveView} move
   */
  #rest(move) {
    let at = 0;
    return move.cells.filter((cell) => {
      if (at < this.path.length && cell === this.path[at]) {
        at += 1;
        return false;
      }
      return at === this.path.length;
    });
  }

  #placements() {
    return this.#legal.filter((move) => move.cells.length === 1).map((move) => move.cells[0]);
  }
}

/**
 * Each move once, with the first of its paths.
 * @param {Ludus.MoveView[]} moves
 */
function distinct(moves) {
  return moves.filter((move, index) => moves.findIndex((other) => other.move === move.move) === index);
}

/**
 * @param {Ludus.MoveView[]} moves
 * @returns {Choice}
 */
function settle(moves) {
  const choices = distinct(moves);
  return choices.length === 1 ? { kind: "play", move: choices[0] } : { kind: "choose", moves: choices };
}
