/** Specifications of games and players: a name with options, such as `engine:level=3`. */

/**
 * Reads `name:key=value,…` into its parts.
 * @param {string} spec
 * @returns {{id: string, options: Record<string, string>}}
 */
export function readSpec(spec) {
  const colon = spec.indexOf(":");
  if (colon < 0) return { id: spec, options: {} };
  /** @type {Record<string, string>} */
  const options = {};
  let last = "";
  for (const part of spec.slice(colon + 1).split(",")) {
    const equals = part.indexOf("=");
    if (equals < 0 && last) {
      options[last] += `,${part}`;
      continue;
    }
    last = part.slice(0, equals);
    options[last] = part.slice(equals + 1);
  }
  return { id: spec.slice(0, colon), options };
}

/**
 * The inverse of {@link readSpec}.
 * @param {string} id
 * @param {Record<string, string | number>} options
 */
export function writeSpec(id, options) {
  const parts = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return parts.length ? `${id}:${parts.join(",")}` : id;
}
