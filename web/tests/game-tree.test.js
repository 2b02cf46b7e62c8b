import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTree } from "../pages/analyse/game-tree.js";
import { recordText } from "../pages/analyse/record-text.js";

/**
 * @param {string[]} moves
 * @param {object} [more]
 */
function answer(moves, more) {
  const played = moves.map((move, index) => ({ move, label: move, side: index % 2 === 0 ? "first" : "second" }));
  const fields = { game: "chess", game_name: "Chess", start: "startpos", first_turn: "first", last_cells: [] };
  return /** @type {Ludus.PositionView} */ (
    /** @type {unknown} */ ({ ...fields, position: "p", view: { cells: [] }, moves: played, positions: [], ...more })
  );
}

test("the moves of a record are the main line", () => {
  const tree = new GameTree(answer(["e4", "e5", "Nf3"]), "pgn");
  assert.equal(tree.end.ply, 3);
  assert.deepEqual(tree.end.moves(), ["e4", "e5", "Nf3"]);
  assert.equal(tree.end.turn, "second");
  assert.ok(tree.isMain(tree.end) && !tree.changed);
});

test("a known move is not added twice, a new one is a variation", () => {
  const tree = new GameTree(answer(["e4", "e5"]), "pgn");
  assert.equal(tree.add(tree.root, "e4", "e4"), tree.root.children[0]);
  assert.ok(!tree.changed);
  const other = tree.add(tree.root, "d4", "d4");
  assert.ok(tree.changed && !tree.isMain(other));
  tree.promote(other);
  assert.ok(tree.isMain(other));
  assert.equal(tree.remove(other), tree.root);
  assert.deepEqual(
    tree.root.children.map(({ move }) => move),
    ["e4"],
  );
});

test("variations and comments of a record are grafted on and written again", () => {
  const tree = new GameTree(
    answer(["e4", "e5"], {
      variations: {
        children: [
          { move: "e4", label: "e4", children: [{ move: "e5", label: "e5", children: [] }] },
          { move: "d4", label: "d4", comment: "solid", children: [{ move: "d5", label: "d5", children: [] }] },
        ],
      },
    }),
    "pgn",
  );
  const text = '[Game "chess"]\n[FEN "startpos"]\n\n1. e4 (1. d4 {solid} 1... d5) 1... e5 *\n';
  assert.equal(recordText(tree), text);
});

test("Go is written as SGF with letters for points", () => {
  const more = { game: "go:size=9,komi=6.5,rules=chinese" };
  const tree = new GameTree(answer(["D4", "E5"], more), "sgf");
  tree.add(tree.root, "C3", "cg");
  const text = recordText(tree);
  assert.match(text, /^\(;GM\[1\]FF\[4\]CA\[UTF-8\]SZ\[9\]KM\[6.5\]RU\[Chinese\]/);
  assert.match(text, /\(;B\[df\];W\[ee\]\)\(;B\[cg\]\)\)\n$/);
});
