"""The yardstick: the most that uvicorn can do, on the given port."""

import sys
from typing import Any

import uvicorn
from wire import HOST


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """A WebSocket echo."""
    if scope["type"] != "websocket":
        return
    while (message := await receive())["type"] != "websocket.disconnect":
        if message["type"] == "websocket.connect":
            await send({"type": "websocket.accept"})
        else:
            await send({"type": "websocket.send", "text": message["text"]})


if __name__ == "__main__":
    uvicorn.run(echo, host=HOST, port=int(sys.argv[1]), log_level="warning", ws_per_message_deflate=False)
