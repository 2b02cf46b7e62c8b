/** Numbers on the squares of a board, each kind on a small board of its own: weights, contributions, input planes. */

import { el } from "../../lib/dom.js";
import { featureLabel } from "../../lib/labels.js";
import { layerBoard, layerHeat } from "./layer-values.js";
import "../../board/board.js";

/** Explanations of the kinds, in the order they are shown. @type {Record<Ludus.LayerKind, string>} */
const ABOUT = {
  weight: "Weights of the squares, the same in every position: light squares are liked, dark ones are not.",
  contribution:
    "What each square adds to the value for White: the change when the network cannot see it. Light is good for White, dark for Black.",
  plane: "What the network sees: one picture of 64 squares each.",
};

/**
 * @param {Ludus.LayerView[]} layers
 * @param {Ludus.BoardDiagram} view the position
 * @returns {HTMLElement[]} a section for every kind
 */
export function boardLayers(layers, view) {
  const kinds = /** @type {Ludus.LayerKind[]} */ (Object.keys(ABOUT));
  return kinds.flatMap((kind) => {
    const shown = layers.filter((layer) => layer.kind === kind);
    if (shown.length === 0) return [];
    return [
      el(
        "section",
        { class: "layer-group" },
        el("p", { class: "muted small" }, ABOUT[kind]),
        el("div", { class: `layer-boards ${kind}` }, ...shown.map((layer) => layerFigure(layer, view))),
      ),
    ];
  });
}

/**
 * @param {Ludus.LayerView} layer
 * @param {Ludus.BoardDiagram} view
 */
function layerFigure(layer, view) {
  const name = featureLabel(layer.name);
  const board = el("ludus-board", { class: "layer-board" });
  Object.assign(board, { view: layerBoard(layer, view), heat: layerHeat(layer), thumbnail: true, label: name });
  return el("figure", { class: "layer-figure" }, board, el("figcaption", { class: "small" }, name));
}
