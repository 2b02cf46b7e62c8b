/** Exports a game with its variations as text. */

import { readSpec } from "../../lib/specs.js";

/** @typedef {import("./game-tree.js").GameNode} GameNode */
/** @typedef {import("./game-tree.js").GameTree} GameTree */

const LINE_LENGTH = 88;

/**
 * @param {GameTree} tree
 * @returns {string} SGF for Go, otherwise PGN or PDN, which share their syntax
 */
export function recordText(tree) {
  return tree.format === "sgf" ? sgf(tree) : pgn(tree);
}

/** @param {GameTree} tree */
function pgn(tree) {
  const tags = [
    ["Game", tree.game],
    ["FEN", tree.start],
  ];
  const head = tags.map(([name, value]) => `[${name} "${value.replace(/["\\]/g, "\\$&")}"]`).join("\n");
  const odd = tree.firstTurn === "second" ? 1 : 0;
  return `${head}\n\n${wrapped([...line(tree.root, odd, true), "*"])}\n`;
}

/**
 * @param {GameNode} from
 * @param {number} odd
 * @param {boolean} numbered
 * @returns {string[]}
 */
function line(from, odd, numbered) {
  /** @type {string[]} */
  const words = [];
  let mustNumber = numbered;
  for (let node = from; node.children.length > 0; node = node.children[0]) {
    const [main, ...others] = node.children;
    words.push(...written(main, odd, mustNumber));
    for (const other of others) {
      const inner = [...written(other, odd, true), ...line(other, odd, other.comment !== "")];
      inner[0] = `(${inner[0]}`;
      inner[inner.length - 1] += ")";
      words.push(...inner);
    }
    mustNumber = others.length > 0 || main.comment !== "";
  }
  return words;
}

/**
 * @param {GameNode} node
 * @param {number} odd
 * @param {boolean} mustNumber
 */
function written(node, odd, mustNumber) {
  const place = node.ply - 1 + odd;
  const isSecond = place % 2 === 1;
  const number = `${(place >> 1) + 1}${isSecond ? "..." : "."}`;
  const words = isSecond && !mustNumber ? [node.label] : [number, node.label];
  if (node.comment) words.push(`{${node.comment.replace(/[{}]/g, "")}}`);
  return words;
}

/** @param {string[]} words */
function wrapped(words) {
  const lines = [""];
  for (const word of words) {
    const last = lines[lines.length - 1];
    if (last && last.length + word.length >= LINE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines.join("\n");
}

/** Names of Go rules in SGF. @type {Record<string, string>} */
const RULES = {
  chinese: "Chinese",
  japanese: "Japanese",
  aga: "AGA",
  "new-zealand": "NZ",
  "tromp-taylor": "Tromp-Taylor",
};

/** @param {GameTree} tree */
function sgf(tree) {
  const { options } = readSpec(tree.game);
  const size = options.size ?? String(tree.root.view?.columns ?? 19);
  const komi = Number.isFinite(Number(options.komi)) ? `KM[${options.komi}]` : "";
  const handicap = Number(options.handicap) > 0 ? `HA[${options.handicap}]` : "";
  const rules = RULES[options.rules] ? `RU[${RULES[options.rules]}]` : "";
  return `(;GM[1]FF[4]CA[UTF-8]SZ[${size}]${komi}${handicap}${rules}${sgfStart(tree, Number(size))}${sgfLines(tree.root, Number(size))})\n`;
}

/**
 * Stones on the board before the first move, and the side to move.
 * @param {GameTree} tree
 * @param {number} size
 */
function sgfStart({ root, firstTurn }, size) {
  const stones = (/** @type {boolean} */ light) =>
    (root.view?.cells ?? [])
      .filter(({ piece }) => piece?.light === light)
      .map(({ name }) => `[${sgfPoint(name, size)}]`)
      .join("");
  const [black, white] = [stones(false), stones(true)];
  const turn = black || white || firstTurn === "second" ? `PL[${firstTurn === "second" ? "W" : "B"}]` : "";
  return `${black && `AB${black}`}${white && `AW${white}`}${turn}`;
}

const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

/**
 * @param {string} move such as D4
 * @param {number} size
 */
function sgfPoint(move, size) {
  const column = COLUMNS.indexOf(move.charAt(0).toUpperCase());
  const row = size - Number(move.slice(1));
  return column < 0 || !(row >= 0) ? "" : String.fromCharCode(97 + column, 97 + row);
}

/**
 * @param {GameNode} node
 * @param {number} size
 * @returns {string}
 */
function sgfLines(node, size) {
  const each = node.children.map((child) => {
    const colour = child.turn === "second" ? "B" : "W";
    const comment = child.comment ? `C[${child.comment.replace(/[\]\\]/g, "\\$&")}]` : "";
    return `;${colour}[${sgfPoint(child.move, size)}]${comment}${sgfLines(child, size)}`;
  });
  return each.length > 1 ? each.map((text) => `(${text})`).join("") : each.join("");
}
