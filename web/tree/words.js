/** Scores, windows and steps of a search in words. */

/** @typedef {import("./search-model.js").SearchModel} SearchModel */
/** @typedef {import("./search-model.js").TraceNode} TraceNode */
/** @typedef {import("./growth-model.js").GrowthModel} GrowthModel */

/**
 * @typedef {object} Display how scores are displayed
 * @property {"mover" | "root"} viewpoint scores for the side to move at each node, or for the side to move at the root
 * @property {boolean} plain values are the numbers of a typed tree
 * @property {[string, string]} names of the side to move at the root and of the other
 */

const WIN_SCORE = 31_000;
const MAX_EVALUATION = 20_000;
/** Largest number of moves listed by name. */
const MAX_LISTED_MOVES = 10;
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
  // Beyond any score: an open bound of a window.
  if (Math.abs(value) > WIN_SCORE) return value > 0 ? "+∞" : "−∞";
  if (value > MAX_EVALUATION) return `win ${WIN_SCORE - value}`;
  if (value < -MAX_EVALUATION) return `loss ${WIN_SCORE + value}`;
  if (plain) return String(value).replace("-", "−");
  const text = (Math.abs(value) / 100).toFixed(2);
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : text;
}

/**
 * @typedef {object} Figures figures of a node, for the chosen side
 * @property {number | null} alpha
 * @property {number | null} beta
 * @property {number | null} value
 * @property {"exact" | "lower" | "upper" | null} bound
 */

/**
 * @param {SearchModel} model
 * @param {number} id
 * @param {Display} display
 * @returns {Figures}
 */
export function figuresFor(model, id, display) {
  const node = model.nodes[id];
  const { alpha, beta } = model.windowNow(id);
  const { value } = node;
  // The value of a leaf of a typed tree is exact, whatever the window.
  const bound = display.plain && node.cause === "horizon" ? "exact" : node.bound;
  if (display.viewpoint === "mover" || node.ply % 2 === 0) return { alpha, beta, value, bound };
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
 * @param {Figures} figures
 * @param {Display} display
 */
export function valueWords({ value, bound }, display) {
  if (value === null) return "…";
  const sign = bound === "lower" ? "≥ " : bound === "upper" ? "≤ " : "";
  return sign + scoreWords(value, display.plain);
}

/**
 * @param {Figures} figures
 * @param {Display} display
 */
export function windowWords({ alpha, beta }, display) {
  const low = alpha === null ? "−∞" : scoreWords(alpha, display.plain);
  const high = beta === null ? "+∞" : scoreWords(beta, display.plain);
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
 * @param {Display} display
 */
export function moverAt(model, id, display) {
  return display.names[model.nodes[id].ply % 2];
}

/**
 * The node where the beta of a node was set: the better alternative that refutes it.
 * @param {SearchModel} model
 * @param {number} id
 * @returns {{ kind: "alternative", at: number, move: number } | { kind: "question", at: number } | { kind: "window" }}
 */
function sourceOfEdge(model, id) {
  const edge = model.nodes[id].beta;
  for (let at = id; edge !== null; ) {
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
 * Explains a cutoff in a sentence or two.
 * @param {SearchModel} model
 * @param {number} id
 * @param {Display} display
 */
export function cutWords(model, id, display) {
  const node = model.nodes[id];
  const mover = moverAt(model, id, display);
  const other = display.names[(node.ply + 1) % 2];
  const last = model
    .childrenOf(id)
    .filter((child) => !model.nodes[child].ghost)
    .pop();
  const move = last === undefined ? "a move" : nameOf(model, last);
  // From the root's view, a lower bound of the other side is an upper bound.
  const isTurned = display.viewpoint === "root" && node.ply % 2 === 1;
  const [value, edge] = [node.value, node.beta].map((score) =>
    scoreWords(isTurned ? 0 - Number(score) : Number(score), display.plain),
  );
  const found = isTurned
    ? `With ${move}, ${mover} holds ${other} to ${value} here.`
    : `With ${move}, ${mover} gets at least ${value} here.`;
  const source = sourceOfEdge(model, id);
  if (source.kind === "alternative") {
    const distance = node.ply - model.nodes[source.at].ply;
    const where = distance > 1 ? ` ${distance} plies up,` : ",";
    const worth = isTurned ? `worth ${edge}` : `which holds ${mover} to ${edge}`;
    return `${found} But ${other} already has ${nameOf(model, source.move)}${where} ${worth}, and will not allow this position.`;
  }
  if (source.kind === "question")
    return `${found} The search only asked whether the value is on this side of ${edge} or on the other, so that is the answer.`;
  return `${found} The window of this pass ends at ${edge}, so that is enough.`;
}

/** @type {Record<string, string>} */
const CAUSES = {
  horizon: "The depth is used up here, so the position is evaluated statically.",
  "game over": "The game ends here.",
  path: "A draw by repetition or by a move counter.",
  "known ending": "An endgame table knows the result.",
  futility: "Futility pruning: the static evaluation is too far outside the window.",
  "null move": "Null-move pruning: even after passing the turn the score is at least beta.",
  stopped: "The search was stopped here or below, so there is no value.",
};

/**
 * Explains why not all moves of a node were searched.
 * @param {SearchModel} model
 * @param {number} id
 * @param {Display} display
 */
export function causeWords(model, id, display) {
  const node = model.nodes[id];
  if (node.ghost) return "Never visited: pruned. The figures are those of minimax, which visits every node.";
  if (node.cause === "cut") return cutWords(model, id, display);
  if (node.cause === "horizon" && display.plain) return "A leaf of the tree.";
  if (node.cause === "table")
    return `The transposition table already holds ${storedWords(node)} for this position at this depth.`;
  if (node.cause !== null) return CAUSES[node.cause] ?? node.cause;
  return model.childrenOf(id).length > 0 ? "All moves were searched." : "";
}

/** @param {TraceNode} node */
function storedWords(node) {
  if (node.stored === "lower") return "a lower bound";
  return node.stored === "upper" ? "an upper bound" : "the exact value";
}

/**
 * Describes the moves cut below a node.
 * @param {SearchModel} model
 * @param {number} id
 */
export function leftOutWords(model, id) {
  const node = model.nodes[id];
  const part = model.cutPart(id);
  if (part)
    return `${plural(part.moves.length, "move")} left out (${listed(part.moves)}): ${plural(part.nodes, "node")} minimax has to visit.`;
  return node.cut > 0 ? `${plural(node.cut, "move")} left out.` : "";
}

/** @param {string[]} moves */
function listed(moves) {
  if (moves.length <= MAX_LISTED_MOVES) return moves.join(", ");
  return `${moves.slice(0, MAX_LISTED_MOVES).join(", ")} and ${moves.length - MAX_LISTED_MOVES} more`;
}

/**
 * Describes the latest step.
 * @param {SearchModel} model
 * @param {Display} display
 */
export function stepWords(model, display) {
  const step = model.steps[model.step - 1];
  if (!step) return "Nothing has been searched yet. Step forward to watch.";
  const node = model.nodes[step.node];
  const name = nameOf(model, step.node);
  const figures = figuresFor(model, step.node, display);
  const value = valueWords(figures, display);
  if (step.kind === "enter") return enterWords(model, step.node, display);
  if (step.kind === "leaf" && display.plain && node.cause === "horizon") return `${name} is a leaf, worth ${value}.`;
  if (step.kind === "leaf") return `${name}: ${leafWords(model, step.node, display)} Value ${value}.`;
  const met = model.ended ? meeting(model, display) : "";
  const end = model.ended ? " The search is over." : "";
  if (node.cause === "cut")
    return `${name} is cut off with ${value}. ${met || cutWords(model, step.node, display)} ${leftOutWords(model, step.node)}${end}`;
  const best = model.bestSoFar(step.node);
  const by = best && node.bound !== "upper" ? ` by ${nameOf(model, best.child)}` : "";
  return `${name} comes back with ${value}${by}. ${met || boundWords(figures.bound)}${end}`;
}

/**
 * Describes how null-window passes converge to the value.
 * @param {SearchModel} model
 * @param {Display} display
 */
function meeting(model, display) {
  const passes = model.trace.passes.filter(({ depth }) => depth === model.trace.depth);
  const lower = passes.flatMap(({ beta, value }) => (beta !== null && value !== null && value >= beta ? [value] : []));
  const upper = passes.flatMap(({ alpha, value }) =>
    alpha !== null && value !== null && value <= alpha ? [value] : [],
  );
  const [low, high] = [Math.max(...lower), Math.min(...upper)];
  return low === high ? `The lower and the upper bound have met: the value is ${scoreWords(low, display.plain)}.` : "";
}

/**
 * @param {SearchModel} model
 * @param {number} id
 * @param {Display} display
 */
function enterWords(model, id, display) {
  const node = model.nodes[id];
  const window = windowWords(figuresFor(model, id, { ...display }), display);
  if (node.parent === null) {
    const passes = model.trace.passes.length;
    const pass = passes > 1 ? `Pass ${node.pass + 1} of ${passes} begins` : "The search begins";
    return `${pass}: depth ${node.depth}, window ${window}.`;
  }
  const twice = isAgain(model, id) ? " again, since the first answer was only a bound" : "";
  return `${moverAt(model, model.parentOf(id) ?? 0, display)} tries ${nameOf(model, id)}${twice}: window ${window}, depth ${node.depth} left.`;
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
 * @param {Display} display
 */
function leafWords(model, id, display) {
  const node = model.nodes[id];
  if (node.omitted > 0) return `${plural(node.nodes - 1, "visit")} below it, too many to be recorded.`;
  return causeWords(model, id, display) || "It has no moves.";
}

/** @param {"exact" | "lower" | "upper" | null} bound */
function boundWords(bound) {
  if (bound === "upper") return "That is outside the window, so only a bound: the true value may be lower.";
  if (bound === "lower") return "That is outside the window, so only a bound: the true value may be higher.";
  return bound === "exact" ? "That is exact." : "";
}

/**
 * Describes the latest simulation.
 * @param {GrowthModel} model
 */
export function simulationWords(model) {
  const simulation = model.trace.simulations[model.step - 1];
  if (!simulation) return "No simulation yet. Step forward to watch the tree grow.";
  const line = simulation.path.length === 0 ? "stays at the root" : `goes ${simulation.path.join(" ")}`;
  const on = simulation.played_on > 0 ? `, plays on for ${plural(simulation.played_on, "move")}` : "";
  if (model.raw)
    return `Simulation ${countWords(model.step)} ${line}${on} and is worth ${simulation.value.toFixed(2)} for the first side. The value is added in every node of its path.`;
  return `Simulation ${countWords(model.step)} ${line}${on} and ends as ${resultWords(simulation.value)} for the side to move at the root. It is counted in every node of its path.`;
}

/** @param {number} value */
function resultWords(value) {
  if (value === 1) return "a win (1)";
  if (value === -1) return "a loss (0)";
  return value === 0 ? "a draw (½)" : `${((1 + value) / 2).toFixed(2)} points`;
}
