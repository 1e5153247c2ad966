"""The socket as an AsyncAPI document."""

from __future__ import annotations

from typing import Any

from tribord.server import messages
from tribord.server.schema.component import HEARD, SAID, components, reference


def asyncapi() -> dict[str, Any]:
    """The document: one channel, what clients send on it and what they receive."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "Tribord: the socket of a table",
            "version": str(messages.PROTOCOL),
            "description": "Everything that is live at a table. docs/protocol.md says what comes when.",
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {"home": {"host": "127.0.0.1:8420", "protocol": "ws", "description": "`tribord serve`"}},
        "channels": {
            "table": {
                "address": "/socket",
                "description": "One WebSocket per client; every message is one JSON object in a text frame.",
                "messages": {tag(kind): {"$ref": f"#/components/messages/{tag(kind)}"} for kind in (*SAID, *HEARD)},
            }
        },
        "operations": {
            "receive": {
                "action": "receive",
                "summary": "What a client sends: hello first, then commands.",
                "channel": {"$ref": "#/channels/table"},
                "messages": [{"$ref": f"#/channels/table/messages/{tag(kind)}"} for kind in SAID],
            },
            "send": {
                "action": "send",
                "summary": "What a client receives.",
                "channel": {"$ref": "#/channels/table"},
                "messages": [{"$ref": f"#/channels/table/messages/{tag(kind)}"} for kind in HEARD],
            },
        },
        "components": {
            "messages": {
                tag(kind): {"name": tag(kind), "summary": kind.__doc__, "payload": reference(kind)}
                for kind in (*SAID, *HEARD)
            },
            "schemas": components(*SAID, *HEARD),
        },
    }


def tag(kind: Any) -> str:
    """The field "t" of a message."""
    return str(kind.__struct_config__.tag)
