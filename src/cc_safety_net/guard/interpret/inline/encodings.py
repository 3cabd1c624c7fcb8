"""Literals that were written in another form: base64, hexadecimal, rot13, compressed."""

from __future__ import annotations

from cc_safety_net.guard.interpret.inline.values import Value, text, unknown

#: Longer results are not followed.
_LONGEST = 131_072


def decode(known: str, how: str) -> Value:
    """A literal that was written in another form."""
    if how == "rot13":
        return text("".join(_rotated(sign) for sign in known))
    import binascii

    try:
        data = known.encode("utf-8", "surrogateescape")
        if how == "base64":
            data = binascii.a2b_base64(data.translate(_FROM_URL))
        elif how == "hex":
            data = binascii.unhexlify("".join(known.split()))
        else:
            import zlib

            data = zlib.decompressobj(47).decompress(data, _LONGEST)
    except (ValueError, binascii.Error):
        return unknown(how)
    except Exception as error:
        if type(error).__name__ != "error":
            raise
        return unknown(how)
    return text(data.decode("utf-8", "surrogateescape"))


_FROM_URL = bytes(0x2B if code == 0x2D else 0x2F if code == 0x5F else code for code in range(256))


def _rotated(sign: str) -> str:
    if "a" <= sign <= "z":
        return chr((ord(sign) - 84) % 26 + 97)
    if "A" <= sign <= "Z":
        return chr((ord(sign) - 52) % 26 + 65)
    return sign
