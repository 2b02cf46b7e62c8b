"""Speed of PyTorch on one thread with the convolutional network of the chess study.

usage: pytorch.py one|batch|training SECONDS

prints {"work": ..., "count": ..., "seconds": ...} of the fastest repetition

`one` evaluates single positions, `batch` batches of 256, `training` makes steps of Adam on 2,048. Batches
are measured in both orders of memory, of which the faster counts.
"""

import json
import sys
import time

import torch
from torch import nn

PLANES, FILTERS, LAYERS, HIDDEN, SQUARES = 14, 32, 4, 64, 64
BATCH, TRAINING_BATCH, RATE = 256, 2048, 5e-4


def network():
    layers = []
    for layer in range(LAYERS):
        inputs = PLANES if layer == 0 else FILTERS
        layers += [nn.Conv2d(inputs, FILTERS, 3, padding=1), nn.ReLU()]
    layers += [nn.Flatten(), nn.Linear(FILTERS * SQUARES, HIDDEN), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(HIDDEN, 1), nn.Sigmoid())


def fastest(count, duration, work):
    """Positions and seconds of the fastest of the repetitions that fit into the duration."""
    work()
    best, start = float("inf"), time.perf_counter()
    while best == float("inf") or time.perf_counter() - start < duration:
        before = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - before)
    return count, best


def evaluation(count, repeats, duration):
    best = 0, 1.0
    for order in [torch.contiguous_format, torch.channels_last]:
        net = network().to(memory_format=order)
        boards = (torch.rand(count, PLANES, 8, 8) < 0.1).float().contiguous(memory_format=order)

        def work():
            for _ in range(repeats):
                net(boards)

        with torch.inference_mode():
            speed = fastest(count * repeats, duration / 2, work)
        best = max(best, speed, key=lambda speed: speed[0] / speed[1])
    return best


def training(duration):
    best = 0, 1.0
    for order in [torch.contiguous_format, torch.channels_last]:
        net = network().to(memory_format=order)
        boards = (torch.rand(TRAINING_BATCH, PLANES, 8, 8) < 0.1).float()
        boards = boards.contiguous(memory_format=order)
        targets = torch.rand(TRAINING_BATCH, 1)
        optimiser = torch.optim.Adam(net.parameters(), lr=RATE)

        def step():
            optimiser.zero_grad()
            nn.functional.mse_loss(net(boards), targets).backward()
            optimiser.step()

        speed = fastest(TRAINING_BATCH, duration / 2, step)
        best = max(best, speed, key=lambda speed: speed[0] / speed[1])
    return best


def main():
    work, duration = sys.argv[1], float(sys.argv[2])
    torch.set_num_threads(1)
    torch.manual_seed(1)
    if work == "one":
        count, seconds = evaluation(1, 10, duration)
    elif work == "batch":
        count, seconds = evaluation(BATCH, 1, duration)
    elif work == "training":
        count, seconds = training(duration)
    else:
        sys.exit(f"no such work: {work}")
    print(json.dumps({"work": work, "count": count, "seconds": seconds}))


main()
