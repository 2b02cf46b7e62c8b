// Scores, windows and steps of a search in words.

/** @typedef {import("./search-model.js").SearchModel} SearchModel */
/** @typedef {import("./search-model.js").TraceNode} TraceNode */
/** @typedef {import("./growth-model.js").GrowthModel} GrowthModel */

/**
 * @typedef {object} Telling how a search is told
 * @property {"mover" | "root"} viewpoint whose scores are shown: of the side to move, or of the side at the root
 * @property {boolean} plain values are the numbers of a typed tree
 * @property {[string, string]} names of the side to move at the root and of the other
 */

const WIN = 31_000;
const LARGEST_EVALUATION = 20_000;
/** Moves named one by one. */
const MOST_LISTED = 10;
const count = new Intl.NumberFormat("en");

/** @param {number} number */
export function countWords(number) {
  return count.format(number);
}

/**
 * @param {number} number
 * @param {string} one
 * @param {string} [many]
 */
export function plural(number, one, many = `${one}s`) {
  return `${countWords(number)} ${number === 1 ? one : many}`;
}

/**
 * @param {number} value
 * @param {boolean} plain
 */
export function scoreWords(value, plain) {
  // Beyond any position's score: the edge of an open window.
  if (Math.abs(value) > WIN) return value > 0 ? "+∞" : "−∞";
  if (value > LARGEST_EVALUATION) return `win ${WIN - value}`;
  if (value < -LARGEST_EVALUATION) return `loss ${WIN + value}`;
  if (plain) return String(value).replace("-", "−");
  const text = (Math.abs(value) / 100).toFixed(2);
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : text;
}

/**
 * @typedef {object} Seen a node's figures, as the chosen side sees them
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {number | null} value
 * @property {"exact" | "lower" | "upper" | null} bound
 */

/**
 * @param {SearchModel} model
 * @param {number} id
 * @param {Telling} telling
 * @returns {Seen}
 */
export function seen(model, id, telling) {
  const node = model.nodes[id];
  const { alpha, beta } = model.windowNow(id);
  const { value } = node;
  // The number at a leaf of a typed tree is what it is, whatever the window.
  const bound = telling.plain && node.cause === "horizon" ? "exact" : node.bound;
  if (telling.viewpoint === "mover" || node.ply % 2 === 0) return { alpha, beta, value, bound };
  return {
    alpha: negated(beta),
    beta: negated(alpha),
    value: negated(value),
    bound: bound === "lower" ? "upper" : bound === "upper" ? "lower" : bound,
  };
}

/** @param {number | null} value */
function negated(value) {
  return value === null ? null : 0 - value;
}

/**
 * @param {Seen} figures
 * @param {Telling} telling
 */
export function valueWords({ value, bound }, telling) {
  if (value === null) return "…";
  const sign = bound === "lower" ? "≥ " : bound === "upper" ? "≤ " : "";
  return sign + scoreWords(value, telling.plain);
}

/**
 * @param {Seen} figures
 * @param {Telling} telling
 */
export function windowWords({ alpha, beta }, telling) {
  const low = alpha === null ? "−∞" : scoreWords(alpha, telling.plain);
  const high = beta === null ? "+∞" : scoreWords(beta, telling.plain);
  return `[${low}, ${high}]`;
}

/**
 * @param {TraceNode | { move: string | null, label?: string, parent: number | null, ply?: number }} node
 * @param {TraceNode | undefined} [parent]
 */
export function nodeName(node, parent) {
  if (node.label) return node.label;
  if (node.move !== null) return node.move;
  if (node.parent === null) return "root";
  return parent && node.ply === parent.ply ? "only move?" : "pass";
}

/**
 * @param {SearchModel} model
 * @param {number} id
 */
export function nameOf(model, id) {
  const node = model.nodes[id];
  return nodeName(node, node.parent === null ? undefined : model.nodes[node.parent]);
}

/**
 * @param {SearchModel} model
 * @param {number} id
 * @param {Telling} telling
 */
export function moverAt(model, id, telling) {
  return telling.names[model.nodes[id].ply % 2];
}

/**
 * Whose better alternative makes a node useless: where its upper edge was set.
 * @param {SearchModel} model
 * @param {number} id
 * @returns {{ kind: "alternative", at: number, move: number } | { kind: "question", at: number } | { kind: "window" }}
 */
export function sourceOfEdge(model, id) {
  const edge = model.nodes[id].beta;
  for (let at = id; edge !== null;) {
    const parent = model.parentOf(at);
    if (parent === null) return { kind: "window" };
    const above = model.nodes[parent];
    if (above.alpha === null || above.alpha < -edge) {
      const move = model.childrenOf(parent).find((child) => child < at && -Number(model.nodes[child].value) === -edge);
      return move === undefined ? { kind: "question", at: parent } : { kind: "alternative", at: parent, move };
    }
    const further = model.parentOf(parent);
    if (further === null) return { kind: "window" };
    if (model.nodes[further].beta !== edge) return { kind: "question", at: further };
    at = further;
  }
  return { kind: "window" };
}

/**
 * Why a node was cut, in a sentence or two.
 * @param {SearchModel} model
 * @param {number} id
 * @param {Telling} telling
 */
export function cutWords(model, id, telling) {
  const node = model.nodes[id];
  const mover = moverAt(model, id, telling);
  const other = telling.names[(node.ply + 1) % 2];
  const last = model.childrenOf(id).filter((child) => !model.nodes[child].ghost).pop();
  const move = last === undefined ? "a move" : nameOf(model, last);
  // Seen by the side at the root, what the other side gets is what it leaves.
  const isTurned = telling.viewpoint === "root" && node.ply % 2 === 1;
  const [value, edge] = [node.value, node.beta].map((score) => scoreWords(isTurned ? 0 - Number(score) : Number(score), telling.plain));
  const found = isTurned ? `With ${move}, ${mover} holds ${other} to ${value} here.` : `With ${move}, ${mover} gets at least ${value} here.`;
  const source = sourceOfEdge(model, id);
  if (source.kind === "alternative") {
    const distance = node.ply - model.nodes[source.at].ply;
    const where = distance > 1 ? ` ${distance} plies up,` : ",";
    const worth = isTurned ? `worth ${edge}` : `which holds ${mover} to ${edge}`;
    return `${found} But ${other} already has ${nameOf(model, source.move)}${where} ${worth}, and will not let the game come here.`;
  }
  if (source.kind === "question") return `${found} The search only asked whether the value is on this side of ${edge} or on the other, so that is the answer.`;
  return `${found} The window of this pass ends at ${edge}, so that is all it needs to know.`;
}

/** @type {Record<string, string>} */
const CAUSES = {
  horizon: "The depth is used up here, so the position is judged as it stands.",
  "game over": "The game ends here.",
  path: "A repetition or a counter makes this a draw.",
  "known ending": "An endgame table knows the result.",
  futility: "The evaluation is so far outside the window that searching on is hopeless.",
  "null move": "Even after passing the turn the position is good enough, so it is left.",
  stopped: "The search was stopped here or below, so there is no value.",
};

/**
 * Why not all moves of a node were searched.
 * @param {SearchModel} model
 * @param {number} id
 * @param {Telling} telling
 */
export function causeWords(model, id, telling) {
  const node = model.nodes[id];
  if (node.ghost) return "Never visited: the search could leave it out. These are the figures of minimax, which leaves out nothing.";
  if (node.cause === "cut") return cutWords(model, id, telling);
  if (node.cause === "horizon" && telling.plain) return "A leaf of the tree.";
  if (node.cause === "table") return `The table already holds ${storedWords(node)} for this position at this depth: it is enough.`;
  if (node.cause !== null) return CAUSES[node.cause] ?? node.cause;
  return model.childrenOf(id).length > 0 ? "All moves were searched." : "";
}

/** @param {TraceNode} node */
function storedWords(node) {
  if (node.stored === "lower") return "a lower bound";
  return node.stored === "upper" ? "an upper bound" : "the exact value";
}

/**
 * What was left out below a node.
 * @param {SearchModel} model
 * @param {number} id
 */
export function leftOutWords(model, id) {
  const node = model.nodes[id];
  const part = model.cutPart(id);
  if (part) return `${plural(part.moves.length, "move")} left out (${listed(part.moves)}): ${plural(part.nodes, "node")} minimax has to visit.`;
  return node.cut > 0 ? `${plural(node.cut, "move")} left out.` : "";
}

/** @param {string[]} moves */
function listed(moves) {
  if (moves.length <= MOST_LISTED) return moves.join(", ");
  return `${moves.slice(0, MOST_LISTED).join(", ")} and ${moves.length - MOST_LISTED} more`;
}

/**
 * What happened in the latest step.
 * @param {SearchModel} model
 * @param {Telling} telling
 */
export function stepWords(model, telling) {
  const step = model.steps[model.step - 1];
  if (!step) return "Nothing has been searched yet. Step forward to watch.";
  const node = model.nodes[step.node];
  const name = nameOf(model, step.node);
  const figures = seen(model, step.node, telling);
  const value = valueWords(figures, telling);
  if (step.kind === "enter") return enterWords(model, step.node, telling);
  if (step.kind === "leaf" && telling.plain && node.cause === "horizon") return `${name} is a leaf, worth ${value}.`;
  if (step.kind === "leaf") return `${name}: ${leafWords(model, step.node, telling)} Value ${value}.`;
  const met = model.ended ? meeting(model, telling) : "";
  const end = model.ended ? " The search is over." : "";
  if (node.cause === "cut") return `${name} is cut off with ${value}. ${met || cutWords(model, step.node, telling)} ${leftOutWords(model, step.node)}${end}`;
  const best = model.bestSoFar(step.node);
  const by = best && node.bound !== "upper" ? ` by ${nameOf(model, best.child)}` : "";
  return `${name} comes back with ${value}${by}. ${met || boundWords(figures.bound)}${end}`;
}

/**
 * How the passes of a search with null windows close in on the value.
 * @param {SearchModel} model
 * @param {Telling} telling
 */
function meeting(model, telling) {
  const passes = model.trace.passes.filter(({ depth }) => depth === model.trace.depth);
  const lower = passes.flatMap(({ beta, value }) => (beta !== null && value !== null && value >= beta ? [value] : []));
  const upper = passes.flatMap(({ alpha, value }) => (alpha !== null && value !== null && value <= alpha ? [value] : []));
  const [low, high] = [Math.max(...lower), Math.min(...upper)];
  return low === high ? `The lower and the upper bound have met: the value is ${scoreWords(low, telling.plain)}.` : "";
}

/**
 * @param {SearchModel} model
 * @param {number} id
 * @param {Telling} telling
 */
function enterWords(model, id, telling) {
  const node = model.nodes[id];
  const window = windowWords(seen(model, id, { ...telling }), telling);
  if (node.parent === null) {
    const passes = model.trace.passes.length;
    const pass = passes > 1 ? `Pass ${node.pass + 1} of ${passes} begins` : "The search begins";
    return `${pass}: depth ${node.depth}, window ${window}.`;
  }
  const twice = isAgain(model, id) ? " again, since the first answer was only a bound" : "";
  return `${moverAt(model, model.parentOf(id) ?? 0, telling)} tries ${nameOf(model, id)}${twice}: window ${window}, depth ${node.depth} left.`;
}

/**
 * Whether the same move was searched here before.
 * @param {SearchModel} model
 * @param {number} id
 */
export function isAgain(model, id) {
  const { parent, move, ghost } = model.nodes[id];
  if (parent === null || move === null || ghost) return false;
  return model.childrenOf(parent).some((child) => child < id && model.nodes[child].move === move);
}

/**
 * @param {SearchModel} model
 * @param {number} id
 * @param {Telling} telling
 */
function leafWords(model, id, telling) {
  const node = model.nodes[id];
  if (node.omitted > 0) return `${plural(node.nodes - 1, "visit")} below it, too many to be recorded.`;
  return causeWords(model, id, telling) || "It has no moves.";
}

/** @param {"exact" | "lower" | "upper" | null} bound */
function boundWords(bound) {
  if (bound === "upper") return "That is outside the window, so only a bound: the true value may be lower.";
  if (bound === "lower") return "That is outside the window, so only a bound: the true value may be higher.";
  return bound === "exact" ? "That is exact." : "";
}

/**
 * What the latest simulation did.
 * @param {GrowthModel} model
 */
export function simulationWords(model) {
  const simulation = model.trace.simulations[model.step - 1];
  if (!simulation) return "No simulation yet. Step forward to watch the tree grow.";
  const line = simulation.path.length === 0 ? "stays at the root" : `goes ${simulation.path.join(" ")}`;
  const on = simulation.played_on > 0 ? `, plays on for ${plural(simulation.played_on, "move")}` : "";
  return `Simulation ${countWords(model.step)} ${line}${on} and ends as ${resultWords(simulation.value)} for the side to move at the root. It is counted in every node of its path.`;
}

/** @param {number} value */
function resultWords(value) {
  if (value === 1) return "a win (1)";
  if (value === -1) return "a loss (0)";
  return value === 0 ? "a draw (½)" : `${((1 + value) / 2).toFixed(2)} points`;
}
