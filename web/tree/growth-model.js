/**
 * Model of a tree grown by simulations (MCTS), as it was after any number of them. Points are those of the side that made the move,
 * or, in a tree of raw values, values of the first side.
 */

import { lineTo } from "./line.js";

/**
 * @typedef {object} GrownNode points are counted for the side that made the move
 * @property {number} id
 * @property {number | null} parent
 * @property {string | null} move
 * @property {string} [label]
 * @property {number} visits
 * @property {number} points
 * @property {number} mean
 * @property {number | null} uct
 * @property {number | null} rave_visits
 * @property {number | null} rave_mean
 * @property {"win" | "loss" | "draw" | null} proof
 * @property {boolean} expanded
 */

/**
 * @typedef {object} GrowthDocument
 * @property {string} game
 * @property {string} position
 * @property {string} player
 * @property {number} depth
 * @property {number} visits
 * @property {{ path: string[], value: number, played_on: number }[]} simulations
 * @property {GrownNode[]} nodes
 * @property {{ exploration: number, negated_parity: number | null }} [raw] scale of a tree of raw values
 */

/**
 * @typedef {object} Figures
 * @property {number} visits N
 * @property {number} points W
 * @property {number} mean Q
 * @property {number | null} uct selection value
 * @property {number | null} exploration exploration term of the selection value
 */

const SMALL_TREE_NODES = 140;
/** The raw value that is drawn as three quarters of the way to a certain win, roughly. */
const RAW_SCALE_UNITS = 3;

export class GrowthModel {
  /** @type {"growth"} */
  kind = "growth";

  /**
   * @param {GrowthDocument} trace
   * @param {string[]} line the principal variation from the root
   */
  constructor(trace, line) {
    this.trace = trace;
    this.nodes = trace.nodes;
    this.recorded = this.nodes.length;
    /** @type {number[][]} */
    this.all = this.nodes.map(() => []);
    /** @type {number[]} */
    this.plies = [];
    for (const node of this.nodes) {
      if (node.parent !== null) this.all[node.parent]?.push(node.id);
      this.plies.push(node.parent === null ? 0 : this.plies[node.parent] + 1);
    }
    this.paths = this.#resolve();
    this.isComplete = trace.simulations.length >= trace.visits;
    this.touched = this.#touch();
    this.children = this.all.map((ids) => this.#tried(ids));
    this.sizes = this.#sizes();
    this.visits = new Int32Array(this.nodes.length);
    this.points = new Float64Array(this.nodes.length);
    this.counted = 0;
    this.step = 0;
    this.raw = trace.raw ?? null;
    this.root = 0;
    this.constant = this.#explorationConstant();
    /** @type {Set<number>} */
    this.path = new Set();
    this.principal = new Set(this.#follow(line));
    this.seek(this.stepCount);
  }

  get stepCount() {
    return this.trace.simulations.length;
  }

  get ended() {
    return this.step === this.stepCount;
  }

  /** The last tree node on the path of the latest simulation. */
  get current() {
    const path = this.paths[this.step - 1];
    return path ? path[path.length - 1] : 0;
  }

  /** The recorded nodes on the path of each simulation. */
  #resolve() {
    /** @type {Map<string, number>[]} */
    const byMove = this.all.map((ids) => new Map(ids.map((id) => [this.nodes[id].move ?? "", id])));
    return this.trace.simulations.map(({ path }) => {
      const ids = [0];
      for (const move of path) {
        const next = byMove[ids[ids.length - 1]]?.get(move);
        if (next === undefined) break;
        ids.push(next);
      }
      return ids;
    });
  }

  /** Number of simulations through each node. */
  #touch() {
    const touched = new Int32Array(this.nodes.length);
    for (const path of this.paths) for (const id of path) touched[id] += 1;
    return touched;
  }

  /** Whether nodes started with virtual visits (prior knowledge). */
  get hasPriors() {
    return this.isComplete && this.nodes.some(({ visits }, id) => id > 0 && visits !== this.touched[id]);
  }

  /**
   * @param {number[]} ids
   * @returns {number[]} the visited children, most visited first
   */
  #tried(ids) {
    const tried = ids.filter((id) => this.touched[id] > 0 || (!this.isComplete && this.nodes[id].visits > 0));
    return tried.sort((a, b) => this.nodes[b].visits - this.nodes[a].visits || a - b);
  }

  #sizes() {
    const sizes = new Int32Array(this.nodes.length).fill(1);
    // Level by level: children come after their parents.
    for (let id = this.nodes.length - 1; id >= 0; id -= 1) {
      for (const child of this.children[id]) sizes[id] += sizes[child];
    }
    return sizes;
  }

  /** @param {string[]} line */
  #follow(line) {
    const ids = [0];
    for (const move of line) {
      const next = this.children[ids[ids.length - 1]].find((id) => this.nodes[id].move === move);
      if (next === undefined) break;
      ids.push(next);
    }
    return ids;
  }

  /** The exploration constant of UCT that explains the recorded figures; null if the formula has other terms. */
  #explorationConstant() {
    if (this.raw) return this.raw.exploration;
    const found = [];
    for (const node of this.nodes) {
      if (node.parent === null || node.uct === null || node.visits === 0 || node.proof) continue;
      const above = this.nodes[node.parent].visits;
      if (above > 1) found.push((node.uct - node.mean) / Math.sqrt(Math.log(above) / node.visits));
      if (found.length === 200) break;
    }
    if (found.length === 0) return null;
    found.sort((a, b) => a - b);
    const [low, high] = [found[0], found[found.length - 1]];
    return high - low < 0.01 * Math.max(1, high) ? found[found.length >> 1] : null;
  }

  /** @param {number} step number of simulations done */
  seek(step) {
    this.step = Math.max(0, Math.min(step, this.stepCount));
    while (this.counted < this.step) this.#count(this.counted++, 1);
    while (this.counted > this.step) this.#count(--this.counted, -1);
    this.path = new Set(this.paths[this.step - 1] ?? [0]);
  }

  /**
   * @param {number} simulation
   * @param {1 | -1} sign
   */
  #count(simulation, sign) {
    const { value } = this.trace.simulations[simulation];
    const share = (1 + value) / 2;
    for (const id of this.paths[simulation]) {
      this.visits[id] += sign;
      const forMover = this.plies[id] % 2 === 1 ? share : 1 - share;
      this.points[id] += sign * (this.raw ? value : forMover);
    }
  }

  /**
   * The sign of the mean in the selection value: negative where the second side selects by the negated mean.
   * @param {number} id
   */
  #selectionSign(id) {
    return this.raw?.negated_parity === this.plies[id] % 2 ? -1 : 1;
  }

  /**
   * Value of a node from 0 to 1: its mean, or that of the first side's raw values on a scale of three units.
   * @param {number} id
   */
  share(id) {
    const { mean } = this.figures(id);
    return this.raw ? 1 / (1 + Math.exp(-mean / RAW_SCALE_UNITS)) : mean;
  }

  /**
   * @param {number} id
   * @returns {Figures}
   */
  figures(id) {
    const node = this.nodes[id];
    if (this.ended) {
      const { visits, points, mean, uct } = node;
      return { visits, points, mean, uct, exploration: uct === null ? null : uct - this.#selectionSign(id) * mean };
    }
    const visits = this.visits[id];
    // Removes the rounding errors of running sums.
    const sum = Math.round(this.points[id] * 1e6) / 1e6;
    const points = this.raw ? sum : Math.max(0, sum);
    const even = this.raw ? 0 : 0.5;
    const mean = visits > 0 ? points / visits : even;
    const above = node.parent === null ? 0 : this.visits[node.parent];
    if (this.constant === null || visits === 0 || above < 1) {
      return { visits, points, mean, uct: null, exploration: null };
    }
    const exploration = this.constant * Math.sqrt(Math.log(above) / visits);
    return { visits, points, mean, uct: this.#selectionSign(id) * mean + exploration, exploration };
  }

  /** @param {number} id */
  lineTo(id) {
    return lineTo(this.nodes, id);
  }

  /** @param {number} id */
  movesTo(id) {
    return this.lineTo(id).flatMap((at) => this.nodes[at].move ?? []);
  }

  /** @param {number} id */
  isVisible(id) {
    return id === 0 || this.ended || this.visits[id] > 0;
  }

  /**
   * Number of visited nodes below a node.
   * @param {number} id
   */
  visibleBelow(id) {
    if (this.ended) return this.sizes[id] - 1;
    let found = 0;
    const waiting = [id];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const child of this.childrenOf(at)) {
        if (this.visits[child] === 0) continue;
        found += 1;
        waiting.push(child);
      }
    }
    return found;
  }

  /** @param {number} id */
  childrenOf(id) {
    return this.children[id] ?? [];
  }

  /** @param {number} id */
  untried(id) {
    return this.all[id].length - this.children[id].filter((child) => this.isVisible(child)).length;
  }

  /** @param {number} id */
  parentOf(id) {
    return this.nodes[id]?.parent ?? null;
  }

  /** Whether space is reserved for later nodes, so that nothing moves. */
  get isSmall() {
    return this.sizes[0] <= SMALL_TREE_NODES;
  }

  /** @param {number} id */
  opensItself(id) {
    if (this.isSmall || id === 0 || this.path.has(id)) return true;
    return this.ended && this.principal.has(id);
  }

  /** @param {number} id */
  isPrincipal(id) {
    return this.ended && this.principal.has(id);
  }
}
