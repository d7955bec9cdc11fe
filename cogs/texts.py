"""Every word the bot says, from one catalogue, and the names of things in human words.

Texts leave this module ready for Discord: names of people are escaped and shortened, events and errors
are worded by what they are, and nothing is said that a View does not show.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import discord
from fluent.runtime import FluentBundle, FluentResource

from kanagawa.cards import CARDS, DIPLOMAS, START_TILES, is_back
from kanagawa.events import (
    AssistantTaken,
    BrushGained,
    BrushMoved,
    BrushPlaced,
    Dealt,
    DiplomasDeclined,
    DiplomaTaken,
    Event,
    GameEnded,
    GrandMasterPassed,
    LastDecision,
    Painted,
    PutInto,
    RoundEnded,
    Stayed,
    StormGained,
    Took,
    TurnEnded,
)
from kanagawa.state import Player
from table.table import Session

log = logging.getLogger(__name__)

LOCALES = Path(__file__).parent.parent / "locales"
DEFAULT = "en"

#: The longest name shown; what is longer ends in an ellipsis.
NAME_LENGTH = 24
#: Texts that are kept with their values filled in: most of a table is worded as before a move.
WORDED = 8192
#: Names that are kept as they are shown.
NAMED = 2048


@cache
def _bundle(locale: str) -> FluentBundle:
    # Isolating marks show as boxes in some of Discord's clients; names are cleaned instead.
    bundle = FluentBundle([locale], use_isolating=False)
    bundle.add_resource(FluentResource((LOCALES / f"{locale}.ftl").read_text(encoding="utf-8")))
    return bundle


@lru_cache(maxsize=64)
def language(locale: str) -> str:
    """The language of the catalogue that serves a Discord locale, such as ``en`` for ``en-GB``."""
    spoken = locale.split("-", 1)[0]
    return spoken if (LOCALES / f"{spoken}.ftl").is_file() else DEFAULT


@lru_cache(maxsize=WORDED, typed=True)
def text(locale: str, text_id: str, /, **values: Any) -> str:
    """A text of the catalogue with its values filled in. Raises KeyError for an unknown ID."""
    bundle = _bundle(language(locale))
    pattern = bundle.get_message(text_id).value
    if pattern is None:
        raise KeyError(text_id)
    worded, faults = bundle.format_pattern(pattern, values)
    for fault in faults:
        log.error("text %s: %r", text_id, fault)
    return str(worded)


#: Controls, formatting marks (the bidirectional ones among them), surrogates, unassigned and private.
_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Cn", "Co"))
#: Fillers and blanks that look empty though their category does not say so.
_EMPTY = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U0001d159")
#: They choose between forms of the character before them. A name keeps them for the sake of its emoji.
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")


def visible(raw: str) -> str:
    """Return what can be seen of a text, on one line; nothing of one that only has marks without letters."""
    kept = "".join(" " if one.isspace() or one == "\u2800" else one for one in raw if not _is_hidden(one))
    seen = " ".join(kept.split())
    return seen if any(unicodedata.category(one)[0] not in "MZ" for one in seen) else ""


def _is_hidden(one: str) -> bool:
    if one.isspace() or one == "\u2800":  # a blank in Braille
        return False
    return one in _EMPTY or unicodedata.category(one) in _INVISIBLE


@lru_cache(maxsize=WORDED)
def folded(raw: str) -> str:
    """Return the one spelling of all texts that look like this one, as far as Unicode tells; for comparing.

    Case, compatibility forms, what cannot be seen, and the kind of a space, a dash or an apostrophe make no
    difference. What is folded stays as it is when it is folded again.
    """
    while (once := _fold_once(raw)) != raw:
        raw = once
    return once


def _fold_once(raw: str) -> str:
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", raw).casefold())
    text = _SELECTORS.sub("", text).translate(_QUOTES)
    text = "".join("-" if one == "\u2212" or unicodedata.category(one) == "Pd" else one for one in text)
    # A dot above an i is one dot, and not two.
    return visible(re.sub("(?<=[ij])\u0307", "", text))


_QUOTES = str.maketrans("\u2018\u2019\u02bc\u201c\u201d", "'''\"\"")


@lru_cache(maxsize=WORDED)
def unaccented(raw: str) -> str:
    """Return a folded text without accents, strokes and the like; marks that make another sound stay."""
    bare = [
        one
        for one in unicodedata.normalize("NFD", raw)
        if unicodedata.combining(one) < 200  # 200 on: accents
    ]
    return unicodedata.normalize("NFC", "".join(map(_base, bare)))


def _base(one: str) -> str:
    """The letter of which a Latin letter is a variant, such as o of ø."""
    named = None if one.isascii() else _VARIANT.fullmatch(unicodedata.name(one, ""))
    return named[1].lower() if named else one


_VARIANT = re.compile("LATIN SMALL LETTER ([A-Z]) WITH .*")


@lru_cache(maxsize=NAMED)
def clean_name(raw: str) -> str:
    """A person's name on one line, without invisible characters, shortened: for alt texts and labels.

    Never empty: a name of nothing visible becomes a question mark.
    """
    return shorten(visible(raw), NAME_LENGTH) or "?"


def escaped(text: str) -> str:
    """A text of other people's making for Discord's text: neither markdown nor a mention."""
    return discord.utils.escape_mentions(_MARKS.sub(r"\\\g<0>", text))


@lru_cache(maxsize=NAMED)
def escaped_name(raw: str) -> str:
    """A person's name for Discord's text: cleaned, and neither markdown nor a mention."""
    return escaped(clean_name(raw))


def present_name(user: discord.User | discord.Member) -> str:
    """The name that a person goes by where they press or type, or else one of theirs that can be seen."""
    return next((one for one in (user.display_name, user.global_name or "") if visible(one)), user.name)


# What Discord reads as markdown anywhere in a line, links and channel mentions included.
_MARKS = re.compile(r"[\\*_~`|<>\[\]()#:]")


def shorten(long: str, limit: int) -> str:
    """The text, or its beginning with an ellipsis where it is longer than Discord allows."""
    return long if len(long) <= limit else long[: limit - 1].rstrip() + "…"


#: What stands for the crest of each seat beside its player's name: of its colour, and each of another shape.
CRESTS = ("🔴", "🟦", "🍀", "💜")


class Words:
    """The catalogue in one language, and the names of one game's players in seat order.

    Calling it gives a text: ``words("turn-choice", who=words.seat(2))``.
    """

    def __init__(self, locale: str = DEFAULT, names: Sequence[str] = ()) -> None:
        self.locale = language(locale)
        self.names = tuple(names)

    def __call__(self, text_id: str, /, **values: Any) -> str:
        return text(self.locale, text_id, **values)

    # People -------------------------------------------------------------------------------------

    def seat(self, seat: int) -> str:
        """A seat's crest and its player's name, for Discord's text."""
        return f"{CRESTS[seat]} **{escaped_name(self._name(seat))}**"

    def plain(self, seat: int) -> str:
        """A seat's name where markdown is not read: alt texts, labels of buttons and options."""
        return clean_name(self._name(seat))

    def _name(self, seat: int) -> str:
        # The seat behind the people's is Osahito's, who has no name of his own to be kept.
        return self._known(self.names[seat], seat + 1) if seat < len(self.names) else self("osahito")

    def _known(self, name: str, number: int = 0) -> str:
        # Somebody who has been forgotten has no name any more.
        if not name:
            return self("former-player")
        return name if visible(name) else self("nameless", number=number)

    def called(self, name: str, number: int = 0) -> str:
        """A person's name as it was kept, where markdown is not read."""
        return clean_name(self._known(name, number))

    def person(self, name: str, number: int = 0) -> str:
        """A person's name as it was kept, for Discord's text; that of nobody is "a former player".

        ``number`` stands for a name of which nothing can be seen.
        """
        return escaped_name(self._known(name, number))

    def both(self, seats: Sequence[int]) -> str:
        """Several seats as one phrase."""
        return self.listed([self.seat(seat) for seat in seats])

    def listed(self, parts: Sequence[str]) -> str:
        """A list as one phrase: "a", "a and b", "a, b and c"."""
        if len(parts) < 2:
            return "".join(parts)
        return self("list", first=", ".join(parts[:-1]), last=parts[-1])

    # Things -------------------------------------------------------------------------------------

    def season(self, season: str) -> str:
        """A Season, such as "winter"."""
        return self("season", season=season)

    def landscape(self, landscape: str, count: int = 1) -> str:
        """One or more of a Landscape, such as "2 mountains"."""
        return self("landscape", landscape=landscape, count=count)

    def subject(self, card: str) -> str:
        """What a card's Print half shows: "three trees in winter", "a storm over the sea"."""
        found = CARDS[card]
        shown = "tree" if found.trees else (found.subject or "nothing")
        return self(
            "subject",
            subject=self("subject-name", subject=shown, count=found.trees),
            season=found.season,
            kind=shown,
            scene=self("subject-scene", landscape=found.print_landscape),
        )

    def card(self, card: str) -> str:
        """A card in short, or what its back tells: "three trees in winter", "a face-down animal card"."""
        return self("card-back", family=card) if is_back(card) else self.subject(card)

    def print_half(self, card: str) -> str:
        """A Print half with what it demands: "three trees in winter, wants 2 mountains"."""
        return self("print-half", subject=self.subject(card), wants=self.wants(card))

    def wants(self, card: str) -> str:
        """What a Print half demands and brings: "wants 2 mountains, Harmony +1"."""
        found = CARDS[card]
        landscape = self.landscape(found.print_landscape, found.print_count)
        demand = self("demand", count=found.print_count, landscape=landscape)
        return self("wants", demand=demand, harmony=found.print_harmony)

    def studio_half(self, card: str) -> str:
        """A Studio half: "ocean", "mountain and Assistant", "Hand, Harmony +2"."""
        found = CARDS[card]
        land = found.studio_landscape and self.landscape(found.studio_landscape)
        symbol = found.studio_symbol and self("symbol", symbol=found.studio_symbol)
        shown = self.listed([one for one in (land, symbol) if one])
        return self(
            "studio-half",
            shown=shown,
            harmony=found.studio_harmony,
            sign=f"{found.studio_harmony:+d}".replace("-", "−"),
        )

    def halves(self, card: str) -> str:
        """A card in short with its Studio half: "a boar in spring (ocean)"; of a back, the back."""
        if is_back(card):
            return self.card(card)
        return self("card-halves", subject=self.subject(card), studio=self.studio_half(card))

    def whole(self, card: str) -> str:
        """All of a card: "three trees in winter, wants 2 mountains · Studio: ocean"; of a back, the back."""
        if is_back(card):
            return self.card(card)
        return self("card-whole", print=self.print_half(card), studio=self.studio_half(card))

    def place(self, player: Player, place: int) -> str:
        """A place of a Studio by number and Landscape: "place 3 (ocean)"; 0 is the Start tile's."""
        if place == 0:
            shown: str | None = START_TILES[player.tile].studio_landscape
        else:
            shown = CARDS[player.studio[place - 1]].studio_landscape
        landscape = self.landscape(shown) if shown else ""
        return self("place", place=place, kind=shown or "none", landscape=landscape)

    def category(self, category: str) -> str:
        """The plural name of a category of Diplomas: "tree Diplomas"."""
        return self("category", category=category)

    def diploma(self, diploma: str) -> str:
        """A Diploma with its worth: "4 trees: 4 points and a Storm token"."""
        found = DIPLOMAS[diploma]
        return self(
            "diploma",
            wanted=self.wanted(diploma),
            points=found.points,
            bonus=found.bonus or "none",
        )

    def wanted(self, diploma: str) -> str:
        """What a Diploma asks for: "3 different buildings", "boar and deer"."""
        found = DIPLOMAS[diploma]
        return self(
            "diploma-wanted",
            category="same" if found.same else found.category,
            count=found.count,
            animals=self.listed([self("animal", animal=one) for one in found.animals]),
        )

    # Events and scores --------------------------------------------------------------------------

    def event(self, event: Event, players: Sequence[Player]) -> str:
        """One thing that happened, as a line of the log. ``players`` are those of any later view."""
        values: dict[str, Any] = {}
        match event:
            case Dealt():
                values = {"round": event.round, "row": event.row}
            case Took():
                cards = self.listed([self.card(card) for card in event.cards])
                values = {"column": event.column, "cards": cards, "count": len(event.cards)}
            case PutInto():
                values = {"shown": self.studio_half(event.card), "place": event.place}
            case Painted():
                values = {"card": self.subject(event.card)}
            case AssistantTaken() | GrandMasterPassed():
                other = "yes" if event.previous != event.seat else "no"
                values = {"previous": self.seat(event.previous), "other": other}
            case BrushPlaced():
                values = {"place": self.place(players[event.seat], event.place)}
            case BrushMoved():
                player = players[event.seat]
                values = {
                    "source": self.place(player, event.source),
                    "target": self.place(player, event.target),
                }
            case DiplomaTaken(_, diploma, returned):
                back = self.wanted(returned) if returned else ""
                values = {"diploma": self.diploma(diploma), "back": back, "returned": "yes" if back else "no"}
            case DiplomasDeclined():
                values = {"category": self.category(event.category)}
            case TurnEnded():
                values = {"kept": event.kept}
            case Stayed() | BrushGained() | StormGained() | RoundEnded() | LastDecision() | GameEnded():
                pass
        seat = getattr(event, "seat", None)
        if seat is not None:
            values["who"] = self.seat(seat)
        return self(f"event-{event.__struct_config__.tag}", **values)


def words_of(session: Session) -> Words:
    """The words of a game: in the language it was opened in, with its players' names."""
    return Words(session.record.locale, [seat.name for seat in session.seats])
