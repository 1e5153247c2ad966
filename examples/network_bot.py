"""A random bot over the network. Give it a table and a guest's secret:

    python examples/network_bot.py http://127.0.0.1:8420 TABLE SECRET

Without a secret it joins the table as a new guest and prints its secret, with which it can come back.
"""

import asyncio
import random
import sys

from tribord.client import Client, Refused


async def play(url: str, table: str, secret: str | None = None) -> list[int]:
    """Play until the match is over, and return the winning seats. Joining a table takes a seat."""
    client = Client(url, table, secret) if secret else await Client.join(url, table, "Perroquet")
    print("table", client.id, "secret", client.secret, flush=True)
    async with client:
        actions = await client.actions()
        async for turn in client.turns():
            choice = random.choice(turn.legal)
            try:
                await client.act(turn.seat, choice, turn.version)
            except Refused as refused:  # the table has moved on in the meantime
                print(refused, flush=True)
            else:
                print(actions[choice]["en"], flush=True)
        return list(client.match["outcome"]["winners"])


if __name__ == "__main__":
    print("winners:", asyncio.run(play(*sys.argv[1:4])))
