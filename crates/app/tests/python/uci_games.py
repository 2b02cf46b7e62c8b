"""Plays whole games through `ludus uci` with python-chess and clocks that run down.

Arguments: the program, the number of games, the player. The opponent moves at random, from a fixed
seed. Any illegal move, crash, or clock that runs out ends this with an error. What is charged is the
processor time of the engine where the system tells it: on a busy machine it waits through no fault
of its own.
"""

import os
import pathlib
import random
import sys
import time

import chess
import chess.engine

program, games, player = sys.argv[1], int(sys.argv[2]), sys.argv[3]
INITIAL, INCREMENT = 5.0, 0.05
# Ends what hangs.
HANG = 600


def work_of(process):
    """Seconds a process has worked so far."""
    try:
        entries = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return time.monotonic()
    return (int(entries[11]) + int(entries[12])) / os.sysconf("SC_CLK_TCK")


generator = random.Random(7)
engine = chess.engine.SimpleEngine.popen_uci([program, "uci", "--player", player], timeout=HANG)
process = engine.transport.get_pid()
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
            before = work_of(process)
            result = engine.play(board, limit, game=number, info=chess.engine.INFO_ALL)
            clock += INCREMENT - (work_of(process) - before)
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
    analysis.get()
    analysis.stop()
    assert analysis.wait().move == chess.Move.from_uci("a1a8")
engine.quit()
print(f"{games} games, {moves} moves")
