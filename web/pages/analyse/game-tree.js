/** A game with its variations: moves as a tree, the main line first. */

/**
 * @typedef {object} Score result of a review after a move
 * @property {number | null} score in hundredths, for the first side
 * @property {string | null} best the best move here
 * @property {string | null} label of it
 */

export class GameNode {
  /** @type {GameNode[]} */
  children = [];
  /** @type {Ludus.BoardDiagram | null} */
  view = null;
  /** @type {number[]} */
  last = [];
  position = "";
  /** Number of moves from the start. */
  ply = 0;
  comment = "";
  /** @type {Ludus.PositionView | null} with the legal moves, once loaded */
  answer = null;
  /** @type {Score | null} */
  review = null;

  /**
   * @param {GameNode | null} parent
   * @param {string} move
   * @param {string} label
   * @param {Ludus.SideName} turn the side to move after it
   */
  constructor(parent, move, label, turn) {
    this.parent = parent;
    this.move = move;
    /** The move in the usual notation. */
    this.label = label;
    this.turn = turn;
    if (parent) this.ply = parent.ply + 1;
  }

  /** The nodes from the start to this one. @returns {GameNode[]} */
  line() {
    /** @type {GameNode[]} */
    const line = [];
    for (let node = /** @type {GameNode | null} */ (this); node; node = node.parent) line.push(node);
    return line.reverse();
  }

  /** The nodes from the start through this one to the end of its line. @returns {GameNode[]} */
  wholeLine() {
    const line = this.line();
    for (let next = this.children[0]; next; next = next.children[0]) line.push(next);
    return line;
  }

  moves() {
    return this.line()
      .slice(1)
      .map(({ move }) => move);
  }
}

export class GameTree {
  /**
   * @param {Ludus.PositionView} answer
   * @param {Ludus.RecordFormat} format of records of the game
   */
  constructor(answer, format) {
    this.game = answer.game;
    this.gameName = answer.game_name;
    this.start = answer.start;
    this.firstTurn = answer.first_turn;
    this.format = format;
    this.root = new GameNode(null, "", "", answer.first_turn);
    this.changed = false;
    let node = this.root;
    this.#fill(node, answer.positions[0]);
    answer.moves.forEach(({ move, label }, index) => {
      node = this.add(node, move, this.nameOf(move, label));
      this.#fill(node, answer.positions[index + 1]);
    });
    node.answer = answer;
    if (!node.view) Object.assign(node, { view: answer.view, last: answer.last_cells, position: answer.position });
    this.end = node;
    if (answer.variations) this.#graft(this.root, answer.variations);
    this.changed = false;
  }

  /**
   * SGF records of Go use letter pairs, so there the move is shown by its coordinates.
   * @param {string} move
   * @param {string | null | undefined} label
   */
  nameOf(move, label) {
    return this.format === "sgf" ? move : label || move;
  }

  /**
   * @param {GameNode} node
   * @param {{ position: string, view: Ludus.BoardDiagram, last_cells: number[] } | undefined} moment
   */
  #fill(node, moment) {
    if (moment) Object.assign(node, { view: moment.view, last: moment.last_cells, position: moment.position });
  }

  /**
   * @param {GameNode} node
   * @param {Ludus.VariationNode} variation
   */
  #graft(node, variation) {
    if (variation.comment) node.comment = variation.comment;
    for (const child of variation.children) {
      if (child.move) this.#graft(this.add(node, child.move, this.nameOf(child.move, child.label)), child);
    }
  }

  /**
   * @param {GameNode} node
   * @param {string} move
   * @param {string} label
   * @returns {GameNode} the node after the move, which may exist already
   */
  add(node, move, label) {
    const known = node.children.find((child) => child.move === move);
    if (known) return known;
    const child = new GameNode(node, move, label, node.turn === "first" ? "second" : "first");
    node.children.push(child);
    this.changed = true;
    return child;
  }

  /**
   * Promotes the variation of a node at the nearest fork above it.
   * @param {GameNode} node
   */
  promote(node) {
    for (let at = /** @type {GameNode} */ (node); at.parent; at = at.parent) {
      const siblings = at.parent.children;
      const place = siblings.indexOf(at);
      if (place === 0) continue;
      siblings.splice(place, 1);
      siblings.splice(place - 1, 0, at);
      this.changed = true;
      return;
    }
  }

  /**
   * @param {GameNode} node
   * @returns {GameNode} the node to show then
   */
  remove(node) {
    if (!node.parent) return node;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    this.changed = true;
    return node.parent;
  }

  /** @param {GameNode} node */
  isMain(node) {
    return node.line().every((at) => !at.parent || at.parent.children[0] === at);
  }
}
