// What the two sides of a game are called.

/**
 * @param {Ludus.PositionAnswer} answer
 * @returns {[string, string]} the first and the second side
 */
export function sideNames(answer) {
  return [answer.sides.first, answer.sides.second];
}
