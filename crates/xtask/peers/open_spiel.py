"""Speed of OpenSpiel's C++ tree search, from the start of one game.

usage: open_spiel.py rollouts|simulations GAME SECONDS

prints {"game": ..., "count": ..., "seconds": ...}

`rollouts` counts random games alone. The evaluator's own method is not visible from Python; a tree
search of one simulation calls it once, at the root, and so plays exactly `n_rollouts` games without
coming back to Python. `simulations` counts those of a search with one random game each.
"""

import json
import sys
import time

import pyspiel


def search(game, rollouts, simulations, seed):
    """Seconds taken by a search, and its root."""
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=rollouts, seed=seed)
    bot = pyspiel.MCTSBot(
        game,
        evaluator,
        uct_c=1.0,
        max_simulations=simulations,
        max_memory_mb=4000 if simulations > 1 else 1,
        solve=False,
        seed=seed,
        verbose=False,
    )
    state = game.new_initial_state()
    start = time.perf_counter()
    root = bot.mcts_search(state)
    return time.perf_counter() - start, root


def measure_rollouts(game, count, seed):
    seconds, root = search(game, count, 1, seed)
    assert root.explore_count == 1 and not root.children, "one simulation, at the root"
    return seconds


def measure_simulations(game, count, seed):
    seconds, root = search(game, 1, count, seed)
    assert root.explore_count == count, "all simulations"
    return seconds


MEASURES = {"rollouts": measure_rollouts, "simulations": measure_simulations}


def main():
    measure, name, wanted = MEASURES[sys.argv[1]], sys.argv[2], float(sys.argv[3])
    game = pyspiel.load_game(name)
    # Enough to fill the time, found by growing a first guess.
    count = 2
    while (seconds := measure(game, count, seed=1)) < wanted / 10:
        count *= 4
    count = max(2, round(count * wanted / seconds))
    seconds = measure(game, count, seed=2)
    print(json.dumps({"game": name, "count": count, "seconds": seconds}))


main()
