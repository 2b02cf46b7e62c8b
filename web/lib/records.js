/** Recognises typed or pasted text: a game record, moves, or a position. */

/** A text that starts with a move: `e4`, `Nf3`, `11-15`, `22x15`, `7=6+1`, `d`, `pass`, `O-O`, with or without its number. */
const MOVE = /^(?:[a-z]|pass|o-o(?:-o)?|(?![wb]:)[a-z][^/\s]{0,9}\d[^/\s]{0,9}|\d+[-x:=][^/\s]*)$/i;

/**
 * The fields of a request that start from it.
 * @param {string} game with its options
 * @param {string} text
 * @returns {{ record: string } | { position: string } | {}}
 */
export function startFrom(game, text) {
  const trimmed = text.trim();
  if (trimmed === "") return {};
  // Moves without tags do not name their game.
  if (isMoves(trimmed)) return { record: `[Game "${game}"]\n\n${trimmed}` };
  return isRecord(trimmed) ? { record: trimmed } : { position: trimmed };
}

/** @param {string} text */
function isMoves(text) {
  return /^1\s*\./.test(text) || MOVE.test(text.split(/\s/, 1)[0]);
}

/** A record has tags or a tree. @param {string} text */
function isRecord(text) {
  return /^\(\s*;/.test(text) || /^\s*\[\s*\w+\s+"/m.test(text) || text.startsWith("{");
}
