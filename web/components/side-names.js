// What the two sides of a game are called.

/**
 * @param {Ludus.PositionAnswer} answer
 * @returns {[string, string]} the first and the second side
 */
export function sideNames(answer) {
  const { sides } = /** @type {{ sides?: { first: string, second: string } }} */ (/** @type {unknown} */ (answer));
  if (sides) return [sides.first, sides.second];
  const piece = answer.view.cells.find((cell) => cell.piece?.side === "first")?.piece;
  if (!piece) return ["First", "Second"];
  if (piece.kind === "cross") return ["X", "O"];
  return piece.light ? ["White", "Black"] : ["Black", "White"];
}
