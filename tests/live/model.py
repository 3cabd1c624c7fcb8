"""A model server on the loopback interface that asks for tool calls, one a turn, then stops.

It speaks as much of four public APIs as headless agents use: Anthropic's messages, OpenAI's chat
completions and responses, and Google's generateContent, streamed. It records what the agent sends
back as the tools' results.
"""

from __future__ import annotations

import itertools
import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Each call of a conversation has an id of its own.
_NUMBERS = itertools.count(1)


@dataclass(frozen=True)
class Call:
    """A call of one of the agent's tools."""

    tool: str
    arguments: dict[str, Any]


class Model:
    """Asks for each of `calls` in turn; `results` are what came back, in that order."""

    def __init__(self) -> None:
        self.calls: Sequence[Call] = ()
        self.results: list[str] = []
        self.offered: set[str] = set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def begin(self, calls: Sequence[Call]) -> None:
        """Another conversation."""
        self.calls = calls
        self.results = []

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def next_call(self, request: dict[str, Any]) -> Call | None:
        """The next call, if its tool is offered and the results of those before are there."""
        names = {name for tool in request.get("tools") or () for name in _tool_names(tool)}
        self.offered |= names
        found = list(_results(request.get("messages") or ()))
        items = request.get("input")
        found += [
            _text(item.get("output"))
            for item in (items if isinstance(items, list) else ())
            if isinstance(item, dict) and item.get("type") == "function_call_output"
        ]
        found += [
            json.dumps(part["functionResponse"].get("response"))
            for content in request.get("contents") or ()
            for part in content.get("parts") or ()
            if "functionResponse" in part
        ]
        if len(found) > len(self.results):
            self.results = found
        call = self.calls[len(found)] if len(found) < len(self.calls) else None
        return call if call and call.tool in names else None


def _tool_names(tool: dict[str, Any]) -> list[str]:
    declared = [str(function["name"]) for function in tool.get("functionDeclarations") or ()]
    return declared or [_tool_name(tool)]


def _tool_name(tool: dict[str, Any]) -> str:
    return str(tool.get("name") or (tool.get("function") or {}).get("name") or "")


def _results(messages: list[dict[str, Any]]) -> Any:
    """The texts of the tool results in a conversation of either API."""
    for message in messages:
        content = message.get("content")
        if message.get("role") == "tool":
            yield _text(content)
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_result":
                yield _text(block.get("content"))


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content)


def _anthropic_events(call: Call | None) -> list[tuple[str, dict[str, Any]]]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    start = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "loopback",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    if call:
        block: dict[str, Any] = {
            "type": "tool_use",
            "id": f"toolu_{next(_NUMBERS)}",
            "name": call.tool,
            "input": {},
        }
        delta = {"type": "input_json_delta", "partial_json": json.dumps(call.arguments)}
    else:
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": "done"}
    reason = "tool_use" if call else "end_turn"
    return [
        ("message_start", {"message": start}),
        ("content_block_start", {"index": 0, "content_block": block}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        (
            "message_delta",
            {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        ),
        ("message_stop", {}),
    ]


def _openai_chunks(call: Call | None) -> list[dict[str, Any]]:
    if call:
        function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
        tool_call = {
            "index": 0,
            "id": f"call_{next(_NUMBERS)}",
            "type": "function",
            "function": function,
        }
        delta: dict[str, Any] = {"role": "assistant", "tool_calls": [tool_call]}
    else:
        delta = {"role": "assistant", "content": "done"}
    base = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "loopback"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    end = "tool_calls" if call else "stop"
    return [
        {**base, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": end}], "usage": usage},
    ]


def _responses_events(call: Call | None) -> list[tuple[str, dict[str, Any]]]:
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    if call:
        item: dict[str, Any] = {
            "type": "function_call",
            "id": f"fc_{next(_NUMBERS)}",
            "call_id": f"call_{next(_NUMBERS)}",
            "name": call.tool,
            "arguments": json.dumps(call.arguments),
        }
    else:
        content = [{"type": "output_text", "text": "done"}]
        item = {"type": "message", "id": "m_1", "role": "assistant", "content": content}
    return [
        ("response.created", {"response": {"id": "r_1"}}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": {"id": "r_1", "usage": usage}}),
    ]


def _google_chunk(call: Call | None) -> dict[str, Any]:
    part: dict[str, Any] = {"text": "done"}
    if call:
        part = {"functionCall": {"name": call.tool, "args": call.arguments}}
    content = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"index": 0, "content": content, "finishReason": "STOP"}
    return {"candidates": [candidate], "usageMetadata": usage}


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length") or 0)
            request = json.loads(self.rfile.read(length) or b"{}")
            path = self.path.split("?")[0]
            if path.endswith("/messages"):
                call = model.next_call(request)
                events = _anthropic_events(call)
                self._stream(
                    [f"event: {n}\ndata: {json.dumps({'type': n, **d})}\n\n" for n, d in events]
                )
            elif path.endswith("/responses"):
                named = _responses_events(model.next_call(request))
                self._stream(
                    [f"event: {n}\ndata: {json.dumps({'type': n, **d})}\n\n" for n, d in named]
                )
            elif path.endswith(":streamGenerateContent"):
                chunk = _google_chunk(model.next_call(request))
                self._stream([f"data: {json.dumps(chunk)}\n\n"])
            elif path.endswith(":generateContent"):
                self._json(_google_chunk(None))
            elif path.endswith("/chat/completions"):
                chunks = _openai_chunks(model.next_call(request))
                self._stream([*(f"data: {json.dumps(c)}\n\n" for c in chunks), "data: [DONE]\n\n"])
            else:
                self._json({"input_tokens": 1})

        def do_GET(self) -> None:
            self._json({"object": "list", "data": [{"id": "loopback", "object": "model"}]})

        def do_HEAD(self) -> None:
            self.send_response(200)
            self.send_header("content-length", "0")
            self.end_headers()

        def _stream(self, parts: list[str]) -> None:
            self._body("".join(parts).encode(), "text/event-stream")

        def _json(self, data: dict[str, Any]) -> None:
            self._body(json.dumps(data).encode(), "application/json")

        def _body(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nothing: the test prints its own lines."""

    return Handler
