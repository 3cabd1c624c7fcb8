"""UTC as text and back, by integers: `datetime` would cost a tenth of the process."""

from __future__ import annotations

DAY = 86_400
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def day(seconds: int) -> str:
    """`YYYY-MM-DD` of a time in seconds since 1970, UTC."""
    year, month, dom = _civil(seconds // DAY)
    return f"{year:04d}-{month:02d}-{dom:02d}"


def stamp(ns: int) -> str:
    """`YYYY-MM-DDTHH:MM:SS.mmmZ` of a time in nanoseconds since 1970."""
    seconds, rest = divmod(ns, 1_000_000_000)
    left = seconds % DAY
    time = f"{left // 3600:02d}:{left // 60 % 60:02d}:{left % 60:02d}"
    return f"{day(seconds)}T{time}.{rest // 1_000_000:03d}Z"


def parse(text: str) -> int | None:
    """Seconds since 1970 of `YYYY-MM-DD` (its end) or `YYYY-MM-DDTHH:MM[:SS[.fff]][Z]`.

    A date alone means the whole day, so it counts until midnight. None if it is neither.
    """
    date, sign, time = text.partition("T")
    days = _days(date)
    if days is None:
        return None
    if not sign:
        return (days + 1) * DAY
    seconds = _time(time.removesuffix("Z").partition(".")[0])
    return None if seconds is None else days * DAY + seconds


def _days(date: str) -> int | None:
    parts = date.split("-")
    if [len(part) for part in parts] != [4, 2, 2] or not all(_digits(part) for part in parts):
        return None
    year, month, dom = (int(part) for part in parts)
    if not 1 <= month <= 12 or not 1 <= dom <= _month_days(year, month):
        return None
    # Days of civil calendars: years begin in March, so the leap day is the last one.
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + dom - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def _month_days(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _MONTH_DAYS[month - 1]


def _time(time: str) -> int | None:
    parts = time.split(":")
    if len(parts) not in (2, 3) or not all(len(p) == 2 and _digits(p) for p in parts):
        return None
    hours, minutes, *rest = (int(part) for part in parts)
    seconds = rest[0] if rest else 0
    if hours > 23 or minutes > 59 or seconds > 59:
        return None
    return hours * 3600 + minutes * 60 + seconds


def _digits(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _civil(days: int) -> tuple[int, int, int]:
    era, of_era = divmod(days + 719_468, 146_097)
    year_of_era = (of_era - of_era // 1_460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    return year_of_era + era * 400 + (month <= 2), month, of_year - (153 * shifted + 2) // 5 + 1
