/** Renders Markdown reports (headings, paragraphs, lists, tables, code) as elements. */

import { el } from "./dom.js";

/** @typedef {{ test: (line: string) => boolean, read: (lines: string[]) => HTMLElement }} Block */

/** Kinds of blocks; each takes consecutive lines that pass its test. */
const BLOCKS = /** @type {Block[]} */ ([
  { test: (line) => /^#{1,6} /.test(line), read: (lines) => el("div", {}, lines.map(heading)) },
  { test: (line) => line.startsWith("|"), read: table },
  {
    test: (line) => /^\s*([-*]|\d+\.) /.test(line),
    read: (lines) =>
      el(
        "ul",
        {},
        lines.map((line) => el("li", {}, inline(line.replace(/^\s*([-*]|\d+\.) /, "")))),
      ),
  },
  {
    test: (line) => /^( {4}|\t)/.test(line),
    read: (lines) =>
      el("pre", { class: "markdown-code" }, lines.map((line) => line.replace(/^( {4}|\t)/, "")).join("\n")),
  },
  {
    test: (line) => line.trim() !== "" && !line.startsWith("!["),
    read: (lines) => el("p", {}, inline(lines.join(" "))),
  },
]);

/**
 * @param {string} text
 * @returns {HTMLElement}
 */
export function markdown(text) {
  const lines = fenced(text.split("\n"));
  const parts = [];
  for (let index = 0; index < lines.length; ) {
    const block = BLOCKS.find(({ test }) => test(lines[index]));
    let end = index + 1;
    if (block) {
      while (end < lines.length && BLOCKS.find(({ test }) => test(lines[end])) === block) end += 1;
      parts.push(block.read(lines.slice(index, end)));
    }
    index = end;
  }
  return el("div", { class: "markdown" }, parts);
}

/**
 * Turns fenced code into indented code.
 * @param {string[]} lines
 */
function fenced(lines) {
  let inside = false;
  return lines.flatMap((line) => {
    if (!line.startsWith("```")) return [inside ? `    ${line}` : line];
    inside = !inside;
    return [""];
  });
}

/** @param {string} line */
function heading(line) {
  return el(line.startsWith("# ") ? "h2" : "h3", {}, line.replace(/^#+ /, ""));
}

/** @param {string[]} lines */
function table(lines) {
  const rows = lines.map((line) =>
    line
      .replace(/^\||\|\s*$/g, "")
      .split("|")
      .map((cell) => cell.trim()),
  );
  const ruled = rows[1]?.every((cell) => /^:?-+:?$/.test(cell)) ?? false;
  const right = ruled ? rows[1].map((cell) => cell.endsWith("-:")) : [];
  const cells = (/** @type {"th" | "td"} */ tag, /** @type {string[]} */ row) =>
    el(
      "tr",
      {},
      row.map((cell, index) => el(tag, { class: right[index] ? "number" : "" }, inline(cell))),
    );
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { class: "table" },
      ruled ? el("thead", {}, cells("th", rows[0])) : null,
      el(
        "tbody",
        {},
        rows.slice(ruled ? 2 : 0).map((row) => cells("td", row)),
      ),
    ),
  );
}

/**
 * Bold text and code within a line; URLs stay plain text.
 * @param {string} text
 * @returns {(HTMLElement | string)[]}
 */
function inline(text) {
  return text
    .split(/(\*\*[^*]+\*\*|`[^`]+`)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith("**") && part.endsWith("**")) return el("strong", {}, part.slice(2, -2));
      if (part.startsWith("`") && part.endsWith("`")) return el("code", {}, part.slice(1, -1));
      return part;
    });
}
