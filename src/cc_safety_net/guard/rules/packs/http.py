"""HTTP requests that ask a server to delete something."""

from __future__ import annotations

from cc_safety_net.guard.interpret.facts import shown
from cc_safety_net.guard.rules.packs.line import Line, is_loopback

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from cc_safety_net.guard.decision import Finding
    from cc_safety_net.guard.interpret.facts import Execution
    from cc_safety_net.guard.rules.context import Context

_OPTIONS = (
    "X,request:@method d,data: data-raw: data-binary: H,header: u,user: o,output: A,user-agent:"
    " e,referer: b,cookie: c,cookie-jar: F,form: m,max-time: x,proxy: w,write-out: url: method:"
    " T,upload-file: cacert: cert: key: retry: connect-timeout: body-data: header: O? a,auth:"
)


def check_execution(execution: Execution, context: Context) -> Iterator[Finding]:
    line = Line(execution, context, _OPTIONS)
    operands = line.operands
    if "" in operands:
        # An address in brackets (`http://[::1]/`) is a pattern that finds nothing.
        operands = [shown(word.choices[0]) for word in line.words]
    if execution.program in ("curl", "wget"):
        method = line.options.get("X") or line.options.get("method") or ""
        urls = [*operands, line.options.get("url", "")]
    else:
        method = operands[0] if operands else ""
        urls = operands[1:2]
    urls = [url for url in urls if url]
    if method.upper() == "DELETE" and not (urls and all(is_loopback(url) for url in urls)):
        yield line.finding("cloud.http-delete")
