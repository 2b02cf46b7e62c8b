"""A whole engine for the Ludus protocol: it plays Connect Four at random."""
import random
import sys

name, moves = "Random columns", []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ludus":
        print(f"id name {name}")
        print("game connect4")
        print("ludus 1")
    elif word == "ping":
        print("pong")
    elif word == "newgame":
        random.seed(rest[1])
    elif word == "position" and rest[0] != "start":
        print("error I know only games from the start")
    elif word == "position":
        moves = rest[2:]
    elif word == "go":
        free = [column for column in "abcdefg" if moves.count(column) < 6]
        print("bestmove", random.choice(free))
    elif word == "quit":
        break
    elif word == "game" and rest != ["connect4"]:
        print("error I play nothing but connect4")
    elif word not in ("", "game", "stop"):
        print(f"error I do not understand {word}")
    sys.stdout.flush()
