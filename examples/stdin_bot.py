"""A bot on standard input and output, with only the standard library. It prefers high cards and dice.

    tribord arena walk-the-plank --bots "mousse,cmd:python examples/stdin_bot.py" --players 4 --matches 40
    tribord play faut-pas-pousser --bot "cmd:python examples/stdin_bot.py"

docs/arena.md describes the messages.
"""

import json
import random
import sys


def choose(question: dict, rng: random.Random) -> int:
    """An action: a high card or die rather than a low one, and luck where that says nothing."""
    # question["view"] is what this seat may know; each legal action has its parts and says in words what it is.
    best = max(weight(action["parts"]) for action in question["legal"])
    return rng.choice([a["action"] for a in question["legal"] if weight(a["parts"]) == best])


def weight(parts: dict) -> int:
    return sum(value for key, value in parts.items() if key in ("pirate", "die", "steps"))


def main() -> None:
    rng = random.Random()
    for line in sys.stdin:  # ends when the matches do
        message = json.loads(line)
        if message["t"] == "hello":  # a new match: forget the last one, and take all random numbers from this seed
            rng.seed(message["seed"])
            answer = {"t": "ready"}
        elif message["t"] == "decide":
            answer = {"t": "act", "id": message["id"], "action": choose(message, rng)}
        else:  # a message of a later version
            continue
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
