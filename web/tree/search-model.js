/** Model of a recorded depth-first search, as it was after any of its steps. */

import { lineTo } from "./line.js";

/**
 * @typedef {object} TraceNode one visit; scores are for the side to move
 * @property {number} id
 * @property {number | null} parent
 * @property {string | null} move
 * @property {string} [label]
 * @property {number} ply
 * @property {number} depth
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {number | null} value
 * @property {"exact" | "lower" | "upper" | null} bound
 * @property {string | null} cause
 * @property {"exact" | "lower" | "upper"} [stored]
 * @property {number} cut
 * @property {string[]} skipped
 * @property {number} nodes
 * @property {number} omitted
 * @property {number} pass
 * @property {boolean} [ghost] never visited by the search: known from plain minimax
 */

/**
 * @typedef {object} TracePass
 * @property {number} depth
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {number | null} value
 */

/**
 * @typedef {object} SearchDocument
 * @property {string} game
 * @property {string} position
 * @property {string} player
 * @property {number} depth
 * @property {number} visits
 * @property {TracePass[]} passes
 * @property {TraceNode[]} nodes
 */

/** @typedef {"enter" | "leaf" | "leave"} StepKind */

/**
 * @typedef {object} Step one step of the search
 * @property {StepKind} kind
 * @property {number} node
 */

/** Largest tree that is fully expanded at first. */
const SMALL_TREE_NODES = 160;

/** Largest number of cut nodes drawn; more are only counted. */
const MAX_GHOSTS = 20_000;

export class SearchModel {
  /** @type {"search"} */
  kind = "search";

  /**
   * @param {SearchDocument} trace
   * @param {string[]} line the principal variation from the root
   */
  constructor(trace, line) {
    this.trace = trace;
    /** @type {TraceNode[]} */
    this.nodes = trace.nodes.slice();
    this.recorded = this.nodes.length;
    /** @type {number[][]} */
    this.children = this.nodes.map(() => []);
    /** @type {number[]} */
    this.roots = [];
    this.nodes.forEach((node, id) => {
      if (node.parent === null) this.roots.push(id);
      else this.children[node.parent]?.push(id);
    });
    /** @type {Step[]} */
    this.steps = [];
    this.entered = new Int32Array(this.nodes.length);
    this.left = new Int32Array(this.nodes.length);
    this.#orderSteps();
    this.step = this.steps.length;
    /** @type {Set<number>} */
    this.path = new Set();
    /** @type {Set<number>} */
    this.principal = new Set(this.#follow(this.roots[this.roots.length - 1] ?? 0, line));
    this.sizes = this.#sizes();
    this.recordedSizes = this.sizes;
    this.seek(this.step);
  }

  get stepCount() {
    return this.steps.length;
  }

  /** Visits are in search order: a node is left when the next visit is not below it. */
  #orderSteps() {
    /** @type {number[]} */
    const open = [];
    const leave = () => {
      const node = /** @type {number} */ (open.pop());
      const leaf = this.children[node]?.length === 0;
      if (!leaf) this.steps.push({ kind: "leave", node });
      this.left[node] = this.steps.length;
    };
    for (let node = 0; node < this.recorded; node += 1) {
      const parent = this.nodes[node].parent;
      while (open.length > 0 && open[open.length - 1] !== parent) leave();
      this.steps.push({ kind: this.children[node].length === 0 ? "leaf" : "enter", node });
      this.entered[node] = this.steps.length;
      open.push(node);
    }
    while (open.length > 0) leave();
  }

  /** @returns {Int32Array} size of the drawn subtree of each node, itself included */
  #sizes() {
    const sizes = new Int32Array(this.nodes.length).fill(1);
    for (let id = this.nodes.length - 1; id >= 0; id -= 1) {
      const parent = this.nodes[id].parent;
      if (parent !== null) sizes[parent] += sizes[id];
    }
    return sizes;
  }

  /**
   * @param {number} root
   * @param {string[]} moves
   */
  #follow(root, moves) {
    const line = [root];
    for (const move of moves) {
      const children = this.children[line[line.length - 1]] ?? [];
      const next = children.filter((child) => this.nodes[child].move === move).pop();
      if (next === undefined) break;
      line.push(next);
    }
    return line;
  }

  /**
   * Number of visits below a node so far: ids are in search order.
   * @param {number} id
   */
  visibleBelow(id) {
    if (this.nodes[id].ghost) return this.sizes[id] - 1;
    const ghosts = this.isDone(id) ? this.sizes[id] - this.recordedSizes[id] : 0;
    const last = id + this.recordedSizes[id] - 1;
    return Math.max(0, Math.min(last, this.#latest) - id) + ghosts;
  }

  /** The latest visit. */
  #latest = -1;

  /** @param {number} step number of steps done */
  seek(step) {
    this.step = Math.max(0, Math.min(step, this.stepCount));
    this.#latest = this.#lastEntered();
    this.path = new Set(this.lineTo(this.current));
  }

  #lastEntered() {
    let [low, high] = [0, this.recorded];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.entered[middle] <= this.step) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The current node of the search. */
  get current() {
    const last = this.steps[Math.max(0, this.step - 1)];
    return last ? last.node : 0;
  }

  /** The root of the pass that is shown. */
  get root() {
    let root = this.current;
    for (let above = this.nodes[root]?.parent; above !== null && above !== undefined; ) {
      root = above;
      above = this.nodes[root].parent;
    }
    return root;
  }

  get ended() {
    return this.step === this.stepCount;
  }

  /**
   * @param {number} id
   * @returns {number[]} path from the root to the node
   */
  lineTo(id) {
    return lineTo(this.nodes, id);
  }

  /**
   * @param {number} id
   * @returns {string[] | null} moves from the root; null if there is a null move among them
   */
  movesTo(id) {
    const moves = [];
    for (const at of this.lineTo(id)) {
      const node = this.nodes[at];
      if (node.move !== null) moves.push(node.move);
      else if (node.parent !== null && node.ply > this.nodes[node.parent].ply) return null;
    }
    return moves;
  }

  /** @param {number} id */
  isVisible(id) {
    return this.step >= this.entered[id];
  }

  /** @param {number} id */
  isDone(id) {
    return this.step >= this.left[id];
  }

  /** @param {number} id */
  childrenOf(id) {
    return this.children[id] ?? [];
  }

  /** @param {number} id */
  parentOf(id) {
    return this.nodes[id]?.parent ?? null;
  }

  /** Whether space is reserved for later nodes, so that nothing moves. */
  get isSmall() {
    return this.sizes[this.root] <= SMALL_TREE_NODES;
  }

  /**
   * Whether a node is expanded by default.
   * @param {number} id
   */
  opensItself(id) {
    if (this.isSmall) return true;
    if (this.nodes[id].parent === null || this.path.has(id)) return true;
    return this.ended && this.principal.has(id);
  }

  /** @param {number} id */
  isPrincipal(id) {
    return this.ended && this.principal.has(id);
  }

  /**
   * The best value among the moves already searched, for the side to move.
   * @param {number} id
   * @returns {{ value: number, child: number } | null}
   */
  bestSoFar(id) {
    /** @type {{ value: number, child: number } | null} */
    let best = null;
    for (const child of this.childrenOf(id)) {
      const { value, ply, ghost } = this.nodes[child];
      if (ghost || value === null || !this.isDone(child) || ply === this.nodes[id].ply) continue;
      if (best === null || -value > best.value) best = { value: -value, child };
    }
    return best;
  }

  /**
   * The current window: alpha rises with every better move.
   * @param {number} id
   * @returns {{ alpha: number | null, beta: number | null }}
   */
  windowNow(id) {
    const { alpha, beta } = this.nodes[id];
    if (this.isDone(id)) return { alpha, beta };
    const best = this.bestSoFar(id);
    if (best === null || (alpha !== null && best.value <= alpha)) return { alpha, beta };
    return { alpha: best.value, beta };
  }

  /**
   * Adds the nodes that were cut, from a trace of plain minimax.
   * @param {SearchDocument} whole the trace of minimax from the same root
   */
  addGhosts(whole) {
    const reference = new Reference(whole);
    for (let id = 0; id < this.recorded; id += 1) {
      if (!this.canBeMeasured(id)) continue;
      const moves = this.movesTo(id);
      const found = moves && reference.find(moves);
      if (found && found.depth === this.nodes[id].depth) this.#addMissing(reference, found.id, id);
    }
    this.#takeGhosts();
  }

  /**
   * Adds the nodes that were cut at one node.
   * @param {number} id
   * @param {SearchDocument} whole the trace of minimax from that node
   */
  addGhostsAt(id, whole) {
    const reference = new Reference(whole);
    const found = reference.find([]);
    if (found) this.#addMissing(reference, found.id, id);
    this.#takeGhosts();
  }

  /**
   * Whether moves were cut here whose nodes have not been added.
   * @param {number} id
   */
  canBeMeasured(id) {
    const { cause, cut, omitted, ghost } = this.nodes[id];
    return cause === "cut" && cut > 0 && omitted === 0 && !ghost && !this.cutPart(id);
  }

  /**
   * @param {Reference} reference
   * @param {number} place index in the reference
   * @param {number} id
   */
  #addMissing(reference, place, id) {
    if (this.nodes.length - this.recorded >= MAX_GHOSTS) return;
    const known = new Set(this.children[id].map((child) => this.nodes[child].move));
    for (const child of reference.childrenOf(place)) {
      if (!known.has(child.move)) this.#addGhost(reference, child, id, id);
    }
  }

  #takeGhosts() {
    this.entered = grown(this.entered, this.#ghostSteps);
    this.left = grown(this.left, this.#ghostSteps);
    this.#ghostSteps = [];
    this.sizes = this.#sizes();
  }

  /** @type {number[]} */
  #ghostSteps = [];

  /**
   * @param {Reference} reference
   * @param {TraceNode} source
   * @param {number} parent
   * @param {number} cutAt
   */
  #addGhost(reference, source, parent, cutAt) {
    const id = this.nodes.length;
    const pass = this.nodes[cutAt].pass;
    this.nodes.push({ ...source, id, parent, pass, ply: this.nodes[parent].ply + 1, ghost: true });
    this.children.push([]);
    this.children[parent].push(id);
    this.#ghostSteps.push(this.left[cutAt]);
    // The moves cut at a node are added completely or not at all; nodes below them may stay undrawn.
    if (this.nodes.length - this.recorded >= MAX_GHOSTS) return;
    for (const child of reference.childrenOf(source.id)) this.#addGhost(reference, child, id, cutAt);
  }

  /**
   * Size of what was cut below a node: moves, and nodes where they are known.
   * @param {number} id
   * @returns {{ moves: string[], nodes: number } | null}
   */
  cutPart(id) {
    const ghosts = this.childrenOf(id).filter((child) => this.nodes[child].ghost);
    if (ghosts.length === 0) return null;
    return {
      moves: ghosts.map((child) => this.nodes[child].label || this.nodes[child].move || ""),
      nodes: ghosts.reduce((sum, child) => sum + this.nodes[child].nodes, 0),
    };
  }

  /** Number of recorded visits by cause. */
  causes() {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (let id = 0; id < this.recorded; id += 1) {
      const cause = this.nodes[id].cause ?? "all moves searched";
      counts.set(cause, (counts.get(cause) ?? 0) + 1);
    }
    return counts;
  }
}

/** The trace of plain minimax, indexed by moves. */
class Reference {
  /** @param {SearchDocument} trace */
  constructor(trace) {
    this.nodes = trace.nodes;
    /** @type {TraceNode[][]} */
    this.children = trace.nodes.map(() => []);
    for (const node of trace.nodes) {
      if (node.parent !== null) this.children[node.parent]?.push(node);
    }
    /** @type {Map<string, number>} */
    this.places = new Map();
    const last = trace.nodes.filter((node) => node.parent === null).pop();
    if (last) this.#place(last.id, "");
  }

  /**
   * @param {number} id
   * @param {string} moves
   */
  #place(id, moves) {
    this.places.set(moves, id);
    for (const child of this.children[id]) this.#place(child.id, `${moves} ${child.move}`);
  }

  /** @param {string[]} moves */
  find(moves) {
    const id = this.places.get(moves.map((move) => ` ${move}`).join(""));
    return id === undefined ? null : this.nodes[id];
  }

  /** @param {number} id */
  childrenOf(id) {
    return this.children[id];
  }
}

/**
 * @param {Int32Array} numbers
 * @param {number[]} more
 */
function grown(numbers, more) {
  const all = new Int32Array(numbers.length + more.length);
  all.set(numbers);
  all.set(more, numbers.length);
  return all;
}
