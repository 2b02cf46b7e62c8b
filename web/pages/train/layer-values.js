/** The numbers of a board layer as the board draws them. */

/**
 * The board under the numbers: with its pieces only where they are what contributes.
 * @param {Ludus.LayerView} layer
 * @param {Ludus.BoardDiagram} view
 * @returns {Ludus.BoardDiagram}
 */
export function layerBoard(layer, view) {
  if (layer.kind === "contribution") return view;
  return { ...view, cells: view.cells.map((cell) => ({ ...cell, piece: null })) };
}

/**
 * The numbers from -1 to 1.
 * @param {Ludus.LayerView} layer
 */
export function layerHeat({ values, scale }) {
  return values.map((value) => (scale > 0 ? Math.max(-1, Math.min(1, value / scale)) : 0));
}
