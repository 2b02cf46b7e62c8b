/** Paths in recorded trees. */

/**
 * @param {{ parent: number | null }[]} nodes by id
 * @param {number} id
 * @returns {number[]} path from the root to the node; empty if there is no such node
 */
export function lineTo(nodes, id) {
  const line = [];
  for (let at = /** @type {number | null} */ (id); at !== null && nodes[at]; ) {
    line.push(at);
    at = nodes[at].parent;
  }
  return line.reverse();
}
