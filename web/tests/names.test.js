import assert from "node:assert/strict";
import { test } from "node:test";
import { contestLabel, featureLabel, gameLabel, playerLabel } from "../lib/labels.js";
import { gameSettings, moveWords, playerName, playerSettings } from "../lib/names.js";
import { checkOptions, readClock } from "../lib/preferences.js";
import { startFrom } from "../lib/records.js";
import { readSpec, writeSpec } from "../lib/specs.js";
import { evaluationOf, minimaxBy } from "../pages/explain/evaluations.js";

test("specifications survive reading and writing", () => {
  for (const spec of ["engine", "engine:level=3", "mcts:playouts=300,eval=net"]) {
    const { id, options } = readSpec(spec);
    assert.equal(writeSpec(id, options), spec);
  }
  assert.deepEqual(readSpec("go:ko=a,b").options, { ko: "a,b" }, "a comma within a value");
});

test("names of players, games and moves", () => {
  assert.equal(playerName("engine:level=3"), "Ludus Engine");
  assert.equal(playerName("greedy-search"), "Greedy Search");
  assert.equal(playerSettings("engine:level=3"), "level 3");
  assert.equal(gameSettings("go:size=9,rules=new-zealand"), "9 × 9, New Zealand");
  assert.equal(gameLabel([], "draughts:rules=english"), "Draughts, English");
  assert.equal(playerLabel("mcts"), "MCTS");
  assert.equal(contestLabel({ name: "pvs v mcts", players: ["pvs", "mcts"] }), "PVS v MCTS");
  assert.equal(featureLabel("PieceAdvantage"), "Piece advantage");
  assert.equal(moveWords({ move: "D4", label: "dp" }, "sgf"), "D4");
  assert.equal(moveWords({ move: "e2e4", label: "e4" }, "pgn"), "e4");
});

test("pasted text is a record, moves or a position", () => {
  const tagged = '[Event "x"]\n\n1. e4 *';
  assert.deepEqual(startFrom("chess", ""), {});
  assert.deepEqual(startFrom("chess", tagged), { record: tagged });
  assert.deepEqual(startFrom("go", "(;GM[1])"), { record: "(;GM[1])" });
  for (const moves of ["1. e4 e5", "e4 e5", "11-15 23-19", "O-O"]) {
    assert.deepEqual(startFrom("chess", moves), { record: `[Game "chess"]\n\n${moves}` });
  }
  for (const position of ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "W:W31,32:B1,2"]) {
    assert.deepEqual(startFrom("chess", position), { position });
  }
});

test("stored options that no longer exist are reported", () => {
  const level = { name: "level", kind: /** @type {const} */ ("integer"), min: 1, max: 10, default: "5", about: "" };
  assert.deepEqual(checkOptions({ level: "3", gone: "x" }, [level]), { known: { level: "3" }, unknown: ["gone=x"] });
  assert.deepEqual(checkOptions({ level: "11" }, [level]), { known: {}, unknown: ["level=11"] });
});

test("clocks are read as seconds and increment", () => {
  assert.deepEqual(readClock("300+3"), { seconds: 300, increment: 3 });
  assert.equal(readClock(""), undefined);
});

test("minimax is compared with the same evaluation", () => {
  assert.equal(evaluationOf("alphabeta:depth=3,eval=mobility"), "mobility");
  assert.equal(evaluationOf("alphabeta:eval=net"), "hand");
  assert.deepEqual(minimaxBy("mobility", 3), { title: "Minimax (mobility)", player: "minimax:depth=3,eval=mobility" });
  assert.deepEqual(minimaxBy("hand"), { title: "Minimax", player: "minimax" });
});
