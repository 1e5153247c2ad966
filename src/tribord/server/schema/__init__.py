"""The schemas of the protocol, made from its types: OpenAPI for HTTP, AsyncAPI for the socket.

`python -m tribord.server.schema` writes them to docs/protocol/.
"""

from tribord.server.schema.asyncapi import asyncapi
from tribord.server.schema.openapi import openapi

__all__ = ["asyncapi", "openapi"]
