"""Random rollouts per second of OpenSpiel's C++ evaluator, from the start of one game.

usage: open_spiel.py GAME SECONDS        prints {"game": ..., "rollouts": ..., "seconds": ...}

The evaluator's own method is not visible from Python. A tree search of one simulation calls it
once, at the root, and so plays exactly `n_rollouts` games without coming back to Python.
"""

import json
import sys
import time

import pyspiel


def measure(game, rollouts, seed):
    """Seconds taken by that many rollouts."""
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=seed)
    bot = pyspiel.MCTSBot(
        game,
        evaluator,
        uct_c=1.0,
        max_simulations=1,
        max_memory_mb=1,
        solve=False,
        seed=seed,
        verbose=False,
    )
    state = game.new_initial_state()
    start = time.perf_counter()
    root = bot.mcts_search(state)
    seconds = time.perf_counter() - start
    assert root.explore_count == 1 and not root.children, "one simulation, at the root"
    return seconds


def main():
    name, wanted = sys.argv[1], float(sys.argv[2])
    game = pyspiel.load_game(name)
    # Enough rollouts to fill the time, found by growing a first guess.
    rollouts = 1
    while (seconds := measure(game, rollouts, seed=1)) < wanted / 10:
        rollouts *= 4
    rollouts = max(1, round(rollouts * wanted / seconds))
    seconds = measure(game, rollouts, seed=2)
    print(json.dumps({"game": name, "rollouts": rollouts, "seconds": seconds}))


main()
