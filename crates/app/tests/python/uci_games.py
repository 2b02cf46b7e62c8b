"""Plays whole games through `ludus uci` with python-chess and real clocks.

Arguments: the program, the number of games, the player. The opponent moves at random, from a fixed
seed. Any illegal move, crash, or clock that runs out ends this with an error.
"""

import random
import sys
import time

import chess
import chess.engine

program, games, player = sys.argv[1], int(sys.argv[2]), sys.argv[3]
INITIAL, INCREMENT = 5.0, 0.05
generator = random.Random(7)
engine = chess.engine.SimpleEngine.popen_uci([program, "uci", "--player", player], timeout=20)
assert engine.id["name"].startswith("Ludus"), engine.id
engine.configure({"Move Overhead": 20})
moves = 0
for number in range(games):
    board = chess.Board()
    ours = number % 2 == 0
    clock = INITIAL
    while not board.is_game_over(claim_draw=True):
        if board.turn == ours:
            limit = chess.engine.Limit(
                white_clock=clock, black_clock=clock, white_inc=INCREMENT, black_inc=INCREMENT
            )
            started = time.monotonic()
            result = engine.play(board, limit, game=number, info=chess.engine.INFO_ALL)
            clock += INCREMENT - (time.monotonic() - started)
            assert clock > 0, f"lost on time in game {number}"
            assert result.move in board.legal_moves, result
            board.push(result.move)
            moves += 1
        else:
            board.push(generator.choice(list(board.legal_moves)))

# Analysis: several lines, some moves only, and an end to thinking without one.
board = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
lines = engine.analyse(board, chess.engine.Limit(depth=2), multipv=3)
assert len(lines) == 3 and lines[0]["score"].relative == chess.engine.Mate(1), lines
only = [chess.Move.from_uci("a1b1"), chess.Move.from_uci("a1c1")]
assert engine.play(board, chess.engine.Limit(depth=2), root_moves=only).move in only
with engine.analysis(board) as analysis:
    time.sleep(0.2)
    analysis.stop()
    assert analysis.wait().move == chess.Move.from_uci("a1a8")
engine.quit()
print(f"{games} games, {moves} moves")
