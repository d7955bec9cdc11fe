"""What Discord asks of all that a bot sends: its limits, each refused in words.

A simulation takes whatever it is given, and Discord does not: it answers 400, "Invalid Form Body", and shows
nothing. So both simulations, the stand-in of the stress and that of the tests, hand every request to
:func:`request` first. It knows the API's documentation of messages, components, interactions, threads and
commands, as far as a bot like this one has to do with it. What is refused is noted as well, for the bot may
go on all the same: it fails the test, or the part of the stress.

Beyond what Discord refuses it refuses what it would take and not show: a file of a message of components that
no component shows, and a name of a file that Discord would change, so that nothing refers to it any more.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

JSON = Mapping[str, Any]

log = logging.getLogger(__name__)

#: Flags of messages.
SUPPRESS_EMBEDS, EPHEMERAL, SILENT, COMPONENTS_V2 = 1 << 2, 1 << 6, 1 << 12, 1 << 15
#: Kinds of interactions, and of what answers them.
COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
MESSAGE, THINKING, DEFERRED, UPDATE, SUGGESTIONS, MODAL = 4, 5, 6, 7, 8, 9
ANSWERS = {
    COMMAND: {MESSAGE, THINKING, MODAL},
    COMPONENT: {MESSAGE, THINKING, DEFERRED, UPDATE, MODAL},
    AUTOCOMPLETE: {SUGGESTIONS},
    MODAL_SUBMIT: {MESSAGE, THINKING, DEFERRED, UPDATE},
}
#: Kinds of components: those of rows, those of a message of components, and what a container holds.
ROW, BUTTON, SELECT, SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER = (
    *(1, 2, 3, 9, 10, 11, 12, 13, 14, 17),
)
SELECTS = {SELECT, 5, 6, 7, 8}
INSIDE = {ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR}
#: Styles of buttons: the last two are links, and for sale.
LINK, PREMIUM = 5, 6

MAX_COMPONENTS, MAX_TEXT, MAX_CONTENT, MAX_ROWS = 40, 4000, 2000, 5
MAX_FILES, MAX_FILE, MAX_REQUEST = 10, 10 << 20, 25 << 20
MAX_OPTIONS, MAX_COMMAND = 25, 8000
#: Seconds from the epoch, before and after, that a timestamp can tell.
LAST_SECOND = 8_640_000_000_000
#: Minutes after which a thread may close by itself.
ARCHIVED_AFTER = {60, 1440, 4320, 10080}
LEGACY_FIELDS = ("content", "embeds", "poll", "sticker_ids")

#: Emoji that Discord is known to have: each was looked up in its list, for a sign that it does not count as
#: an emoji, or one without the selector that makes it one, is an "Invalid emoji".
EMOJI = frozenset(
    {
        "\N{BLACK RIGHT-POINTING DOUBLE TRIANGLE WITH VERTICAL BAR}\ufe0f",
        "\N{CHAIR}",
        "\N{DOUBLE VERTICAL BAR}\ufe0f",
        "\N{BLACK RIGHT-POINTING TRIANGLE}\ufe0f",
        "\N{WAVING HAND SIGN}",
        "\N{CLOCKWISE RIGHTWARDS AND LEFTWARDS OPEN CIRCLE ARROWS}",
        "\N{LOWER LEFT PAINTBRUSH}\ufe0f",
        "\N{LEFTWARDS ARROW WITH HOOK}\ufe0f",
        "\N{WHITE HEAVY CHECK MARK}",
        "\N{PERSON WITH FOLDED HANDS}",
        "\N{HEAVY MULTIPLICATION X}\ufe0f",
        "\N{SPORTS MEDAL}",
        "\N{ANTICLOCKWISE DOWNWARDS AND UPWARDS OPEN CIRCLE ARROWS}",
    }
)


class Refused(Exception):
    """What Discord answers with 400: where, and which of its limits is broken."""


class Upload(NamedTuple):
    """A file of a request: the name of its part, that of the file, and how many bytes it has."""

    part: str
    filename: str
    size: int


class Asked(NamedTuple):
    """An interaction that a request answers: its kind, and whether it has been answered before."""

    kind: int
    answered: bool


#: A command that waits for its answer.
UNANSWERED = Asked(COMMAND, False)


class Simulation(Protocol):
    """What a simulation knows that a request does not say."""

    def standing(self, path: Sequence[str]) -> JSON | None:
        """The message that a request edits, as it stands, with all of its attachments; None if it is gone.

        Of a callback it is the message that was clicked.
        """
        ...

    def asked(self, path: Sequence[str]) -> Asked:
        """The interaction that a callback answers."""
        ...


def uploads(fields: Iterable[JSON]) -> tuple[Upload, ...]:
    """The files among the fields of a form, as discord.py makes it."""
    return tuple(
        Upload(one["name"], one["filename"], _size(one["value"])) for one in fields if "filename" in one
    )


def _size(file: Any) -> int:
    at = file.tell()
    size = file.seek(0, 2)
    file.seek(at)
    return size


# Requests --------------------------------------------------------------------------------------------

#: What has been refused, for whoever answers for it at the end.
refused: list[str] = []


def request(simulation: Simulation, method: str, path: str, payload: Any, files: Sequence[Upload]) -> None:
    """Look at a request before it is done. Raises Refused for what Discord would not take."""
    try:
        _request(simulation, method, path.strip("/").split("/"), payload, files)
    except Refused as error:
        refused.append(f"{method} {path}: {error}")
        log.error("Discord would refuse %s %s: %s", method, path, error)
        raise


def _request(
    simulation: Simulation, method: str, parts: Sequence[str], body: Any, files: Sequence[Upload]
) -> None:
    match method, parts:
        case "POST", ["channels", _, "messages"]:
            message(body, files, lasting=True)
        case "PATCH", ["channels", _, "messages", _] | ["webhooks", _, _, "messages", _]:
            if (before := simulation.standing(parts)) is not None:
                message(body, files, before)
        case "POST", ["webhooks", _, _]:
            message(body, files)
        case "POST", ["interactions", _, _, "callback"]:
            callback(body, files, simulation.asked(parts), simulation.standing(parts))
        case "POST", ["channels", _, "threads"] | ["channels", _, "messages", _, "threads"]:
            thread(body, new=True)
        case "PATCH", ["channels", _]:
            thread(body, new=False)
        case "PUT", ["applications", _, "commands"] | ["applications", _, "guilds", _, "commands"]:
            commands(body)
        case _:
            pass


def callback(
    payload: JSON,
    files: Sequence[Upload] = (),
    asked: Asked = UNANSWERED,
    clicked: JSON | None = None,
) -> None:
    """The first answer to an interaction: of a kind that it may have, and once."""
    kind, data = payload.get("type"), payload.get("data") or {}
    _ask(not asked.answered, "an interaction is answered by one callback")
    _ask(kind in ANSWERS[asked.kind], f"an interaction of kind {asked.kind} has no answer of kind {kind}")
    if kind == MESSAGE:
        message(data, files)
    elif kind == THINKING:
        _ask(not data.get("flags", 0) & ~EPHEMERAL, "an announced answer has no flag but EPHEMERAL")
    elif kind == UPDATE and clicked is not None:
        message(data, files, clicked)
    elif kind == SUGGESTIONS:
        _ask(len(data["choices"]) <= MAX_OPTIONS, f"choices: {len(data['choices'])} are more than 25")
        for one in data["choices"]:
            _choice(one)
    elif kind == MODAL:
        _text(data.get("title"), "title", 1, 45)
        _text(data.get("custom_id"), "custom_id", 1, 100)
        _ask(1 <= len(data.get("components", ())) <= 5, "a modal has 1 to 5 components")


def thread(payload: JSON, *, new: bool) -> None:
    """What a thread is called, and when it closes by itself."""
    if new or "name" in payload:
        _text(payload.get("name"), "name", 1, 100)
    minutes = payload.get("auto_archive_duration", 60)
    _ask(minutes in ARCHIVED_AFTER, f"auto_archive_duration: {minutes} is none of {sorted(ARCHIVED_AFTER)}")


# Messages --------------------------------------------------------------------------------------------


def message(
    payload: JSON, files: Sequence[Upload] = (), before: JSON | None = None, *, lasting: bool = False
) -> None:
    """A message that is sent, or that stands ``before`` and is edited; ``lasting`` ones are for everybody."""
    after = {**(before or {}), **{key: value for key, value in payload.items() if value is not None}}
    after |= {key: "" for key in ("content",) if key in payload and payload[key] is None}
    _flags(payload, before, lasting)
    rich = bool(after.get("flags", 0) & COMPONENTS_V2)
    attached = _attached(payload, files, before)
    _text(after.get("content") or "", "content", 0, MAX_CONTENT)
    _timestamps(after.get("content") or "", "content")
    _embeds(after.get("embeds") or ())
    _mentions(payload.get("allowed_mentions") or {})
    _text(str(payload.get("nonce", "")), "nonce", 0, 25)
    _components(after.get("components") or (), rich, attached)
    if rich:
        for key in LEGACY_FIELDS:
            _ask(not after.get(key), f"{key}: a message of components has none")
        _ask(bool(after.get("components")), "components: a message of components has some")
    else:
        something = (after.get("content") or "").strip(), after.get("embeds"), after.get("components")
        _ask(any(something) or bool(attached) or bool(after.get("poll")), "the message is empty")


def _flags(payload: JSON, before: JSON | None, lasting: bool) -> None:
    flags = payload.get("flags")
    if flags is None:
        return
    if before is not None:
        _ask(not flags & ~(SUPPRESS_EMBEDS | COMPONENTS_V2), f"flags: an edit cannot set {flags}")
        kept = flags & COMPONENTS_V2 or not before.get("flags", 0) & COMPONENTS_V2
        _ask(bool(kept), "flags: IS_COMPONENTS_V2 cannot be taken off a message")
    else:
        possible = SUPPRESS_EMBEDS | SILENT | COMPONENTS_V2 | (0 if lasting else EPHEMERAL)
        _ask(not flags & ~possible, f"flags: a new message cannot have {flags}")


def _mentions(allowed: JSON) -> None:
    parse = allowed.get("parse") or []
    _ask(len({*parse}) == len(parse), "allowed_mentions.parse: something stands there twice")
    _ask({*parse} <= {"roles", "users", "everyone"}, f"allowed_mentions.parse: {parse} is unknown")
    for key in ("users", "roles"):
        named = allowed.get(key) or []
        _ask(len(named) <= 100, f"allowed_mentions.{key}: {len(named)} are more than 100")
        _ask(len({*map(str, named)}) == len(named), f"allowed_mentions.{key}: somebody stands there twice")
        _ask(all(str(one).isdigit() for one in named), f"allowed_mentions.{key}: {named} are no IDs")
        _ask(not (named and key in parse), f"allowed_mentions: {key} are named, and all of them allowed")


def _embeds(embeds: Sequence[JSON]) -> None:
    _ask(len(embeds) <= 10, f"embeds: {len(embeds)} are more than 10")
    total = 0
    for number, one in enumerate(embeds):
        fields, where = one.get("fields") or (), f"embeds[{number}]"
        _ask(len(fields) <= 25, f"{where}.fields: {len(fields)} are more than 25")
        texts = [
            ("title", one.get("title"), 0, 256),
            ("description", one.get("description"), 0, 4096),
            ("footer", (one.get("footer") or {}).get("text"), 0, 2048),
            ("author", (one.get("author") or {}).get("name"), 0, 256),
            *(("fields.name", field.get("name"), 1, 256) for field in fields),
            *(("fields.value", field.get("value"), 1, 1024) for field in fields),
        ]
        for key, value, least, most in texts:
            _text(value or "", f"{where}.{key}", least, most)
            total += len(value or "")
    _ask(total <= 6000, f"embeds: {total} characters in all are more than 6000")


def _timestamps(text: str, where: str) -> None:
    """That what looks like a time to be shown is one: else people read the digits."""
    for found in re.finditer(r"(?<!\\)<t:([^<\n]{0,40})", text):
        told = re.match(r"(-?\d{1,14})(:[tTdDfFRsS])?>", found[1])
        _ask(told is not None and abs(int(told[1])) <= LAST_SECOND, f"{where}: <t:{found[1]} is no timestamp")


# Files -----------------------------------------------------------------------------------------------


def _attached(payload: JSON, files: Sequence[Upload], before: JSON | None) -> dict[str, str]:
    """The files of a message when all is done: by name, and where they lie, for those that were there."""
    new = {one.part: one for one in files}
    _ask(len(new) == len(files), "files: two parts have the same name")
    for one in files:
        _ask(bool(re.fullmatch(r"files\[\d+\]", one.part)), f"{one.part}: no name of a part for a file")
        changed = not re.fullmatch(r"[A-Za-z0-9_.-]{1,255}", one.filename)
        _ask(not changed, f"{one.part}: Discord would not keep the file name {one.filename!r}")
        _ask(one.size <= MAX_FILE, f"{one.part}: {one.size} bytes are more than 10 MiB")
    size = sum(one.size for one in files)
    _ask(size <= MAX_REQUEST, f"files: {size} bytes in all are more than 25 MiB")
    there = {str(one["id"]): one for one in (before or {}).get("attachments") or ()}
    kept, listed = list(there.values()), payload.get("attachments")
    names = [one.filename for one in files]
    if listed is not None:
        kept = _listed(listed, new, there)
    names += [one["filename"] for one in kept]
    _ask(len({*names}) == len(names), f"attachments: {names} has a name twice")
    _ask(len(names) <= MAX_FILES, f"attachments: {len(names)} are more than 10")
    return {**dict.fromkeys(names, ""), **{one["filename"]: one.get("url", "") for one in kept}}


def _listed(listed: Sequence[JSON], new: Mapping[str, Upload], there: Mapping[str, JSON]) -> list[JSON]:
    """Those of a message's attachments that a request lists, beside its own files, and keeps."""
    kept: list[JSON] = []
    parts: list[str] = []
    for number, one in enumerate(listed):
        where, part = f"attachments[{number}]", f"files[{one['id']}]"
        _text(one.get("description") or "", f"{where}.description", 0, 1024)
        if part in new:
            parts.append(part)
            same = one.get("filename", new[part].filename) == new[part].filename
            _ask(same, f"{where}: {one.get('filename')!r} is not the name of {part}")
            continue
        _ask(str(one["id"]) in there, f"{where}: {one['id']} is neither uploaded nor in the message")
        known = there[str(one["id"])]
        # Without its name a file that is kept is not found by the components that show it.
        _ask(one.get("filename") == known["filename"], f"{where}: a file that is kept has its name as well")
        kept.append(known)
    _ask(sorted(parts) == sorted(new), f"attachments: {sorted({*new} - {*parts})} are not listed")
    _ask(len({one["id"] for one in kept}) == len(kept), "attachments: one is kept twice")
    return kept


# Components ------------------------------------------------------------------------------------------


def walk(components: Iterable[JSON]) -> Iterator[JSON]:
    """All components, at any depth."""
    for one in components:
        yield one
        yield from walk(one.get("components") or ())
        if one.get("accessory"):
            yield one["accessory"]


def _components(components: Sequence[JSON], rich: bool, attached: Mapping[str, str]) -> None:
    everything = list(walk(components))
    if not rich:
        _ask(len(components) <= MAX_ROWS, f"components: {len(components)} rows are more than 5")
        _ask(all(one["type"] == ROW for one in components), "flags: components want IS_COMPONENTS_V2")
    _ask(len(everything) <= MAX_COMPONENTS, f"components: {len(everything)} in all are more than 40")
    _unique([one["id"] for one in everything if one.get("id")], "id")
    _unique([one["custom_id"] for one in everything if "custom_id" in one], "custom_id")
    total = sum(len(one["content"]) for one in everything if one["type"] == TEXT)
    _ask(total <= MAX_TEXT, f"components: {total} characters of text in all are more than 4000")
    shown: list[JSON] = []
    for number, one in enumerate(components):
        _ask(one["type"] in INSIDE | {CONTAINER}, f"components[{number}]: {one['type']} does not stand alone")
        _component(one, f"components[{number}]", shown)
    _shown(shown, rich, attached)


def _unique(values: Sequence[Any], key: str) -> None:
    twice = {one for one in values if values.count(one) > 1}
    _ask(not twice, f"components: {key} {twice} stands there more than once")


def _shown(media: Sequence[JSON], rich: bool, attached: Mapping[str, str]) -> None:
    """That what components show is attached, and what is attached is shown."""
    by_url = {url: name for name, url in attached.items() if url}
    names: set[str] = set()
    for one in media:
        url = str(one.get("url") or "")
        name = url.removeprefix("attachment://") if url.startswith("attachment:") else by_url.get(url)
        gone = name is None and "attachment_id" in one
        _ask(
            not gone and (name is None or name in attached), f"components: {url} is neither uploaded nor kept"
        )
        _ask(name is not None or bool(re.match(r"https?://\S+$", url)), f"components: {url!r} is no address")
        names.add(name or "")
    hidden = {*attached} - names if rich else set[str]()
    _ask(not hidden, f"attachments: no component shows {sorted(hidden)}")


def _component(one: JSON, where: str, shown: list[JSON]) -> None:
    """One component and those in it; what of files it shows is noted."""
    match one["type"]:
        case 1:
            _row(one, where)
        case 2:
            _button(one, where)
        case 3 | 5 | 6 | 7 | 8:
            _select(one, where)
        case 9:
            _section(one, where, shown)
        case 10:
            _text(one["content"], f"{where}.content", 1, MAX_TEXT)
            _timestamps(one["content"], f"{where}.content")
        case 11:
            _media(one, "media", where, shown)
        case 12:
            _ask(1 <= len(one["items"]) <= 10, f"{where}: {len(one['items'])} pictures are not 1 to 10")
            for item in one["items"]:
                _media(item, "media", where, shown)
        case 13:
            _media(one, "file", where, shown)
        case 14:
            _ask(one.get("spacing", 1) in (1, 2), f"{where}.spacing: {one.get('spacing')} is not 1 or 2")
        case 17:
            _container(one, where, shown)
        case kind:
            raise Refused(f"{where}: {kind} is no component of a message")


def _container(one: JSON, where: str, shown: list[JSON]) -> None:
    _ask(bool(one["components"]), f"{where}: a container is not empty")
    colour = one.get("accent_color") or 0
    _ask(0 <= colour <= 0xFFFFFF, f"{where}.accent_color: {colour} is no colour")
    for number, child in enumerate(one["components"]):
        _ask(child["type"] in INSIDE, f"{where}: a container holds no component of kind {child['type']}")
        _component(child, f"{where}[{number}]", shown)


def _row(one: JSON, where: str) -> None:
    kinds = [child["type"] for child in one["components"]]
    buttons = 1 <= len(kinds) <= 5 and {*kinds} == {BUTTON}
    _ask(buttons or (len(kinds) == 1 and kinds[0] in SELECTS), f"{where}: {kinds} is no row")
    for number, child in enumerate(one["components"]):
        _component(child, f"{where}[{number}]", [])


def _section(one: JSON, where: str, shown: list[JSON]) -> None:
    kinds = [child["type"] for child in one["components"]]
    _ask(1 <= len(kinds) <= 3 and {*kinds} == {TEXT}, f"{where}: a section has 1 to 3 texts")
    beside = one.get("accessory") or {}
    _ask(beside.get("type") in (BUTTON, THUMBNAIL), f"{where}: a section has a button or a thumbnail")
    for child in (*one["components"], beside):
        _component(child, where, shown)


def _media(one: JSON, key: str, where: str, shown: list[JSON]) -> None:
    _text(one.get("description") or "", f"{where}.description", 0, 1024)
    shown.append(one[key])
    _ask(
        key != "file" or not str(one[key].get("url")).startswith("http") or "attachment_id" in one[key],
        f"{where}: a file component shows attachments alone",
    )


def _button(one: JSON, where: str) -> None:
    style, label = one.get("style"), one.get("label")
    _ask(style in range(1, 7), f"{where}.style: {style} is none")
    if style == PREMIUM:
        wrong = {"custom_id", "label", "url", "emoji"} & one.keys()
        _ask("sku_id" in one and not wrong, f"{where}: a premium button has a sku_id and nothing else")
        return
    _ask("sku_id" not in one, f"{where}.sku_id: only a premium button has one")
    if style == LINK:
        _text(one.get("url"), f"{where}.url", 1, 512)
        _ask(bool(re.match(r"(https?|discord)://\S+$", one["url"])), f"{where}.url: {one['url']!r}")
        _ask("custom_id" not in one, f"{where}.custom_id: a link has none")
    else:
        _text(one.get("custom_id"), f"{where}.custom_id", 1, 100)
        _ask("url" not in one, f"{where}.url: only a link has one")
    _text(label or "", f"{where}.label", 0 if one.get("emoji") and not label else 1, 80)
    _emoji(one, where)


def _select(one: JSON, where: str) -> None:
    _text(one.get("custom_id"), f"{where}.custom_id", 1, 100)
    _text(one.get("placeholder") or "", f"{where}.placeholder", 0, 150)
    least, most = one.get("min_values", 1), one.get("max_values", 1)
    _ask(0 <= least <= most <= MAX_OPTIONS and most >= 1, f"{where}: {least} to {most} values")
    if one["type"] != SELECT:
        return
    options = one.get("options") or ()
    _ask(1 <= len(options) <= MAX_OPTIONS, f"{where}.options: {len(options)} are not 1 to 25")
    _ask(most <= len(options), f"{where}.max_values: {most} are more than there are options")
    values = [option["value"] for option in options]
    _ask(len({*values}) == len(values), f"{where}.options: two have the same value")
    _ask(
        sum(bool(option.get("default")) for option in options) <= most, f"{where}.options: too many defaults"
    )
    for number, option in enumerate(options):
        _text(option.get("label"), f"{where}.options[{number}].label", 1, 100)
        _text(option.get("value"), f"{where}.options[{number}].value", 1, 100)
        _text(option.get("description") or "", f"{where}.options[{number}].description", 0, 100)
        _emoji(option, f"{where}.options[{number}]")


def _emoji(one: JSON, where: str) -> None:
    emoji = one.get("emoji")
    if emoji is not None:
        known = str(emoji.get("id") or "").isdigit() or emoji.get("name") in EMOJI
        _ask(known, f"{where}.emoji: {emoji.get('name')!a} is not among those known to be Discord's")


# Commands --------------------------------------------------------------------------------------------


def commands(listed: Sequence[JSON]) -> None:
    """The commands of an application, as they are registered."""
    _ask(len(listed) <= 100, f"{len(listed)} commands are more than 100")
    _names(listed, "commands")
    for one in listed:
        _option(one, one.get("name", ""))
        size = command_size(one)
        _ask(size <= MAX_COMMAND, f"{one['name']}: {size} characters in all are more than 8000")
        _ask({*(one.get("contexts") or ())} <= {0, 1, 2}, f"{one['name']}.contexts: {one.get('contexts')}")
        installs = one.get("integration_types")
        _ask(installs is None or {*installs} in ({0}, {1}, {0, 1}), f"{one['name']}.integration_types")
        permissions = one.get("default_member_permissions")
        digits = permissions is None or str(permissions).isdigit()
        _ask(digits, f"{one['name']}.default_member_permissions: {permissions!r}")


def command_size(one: JSON) -> int:
    """The characters of names, descriptions and values in all of a command, which have a limit together.

    Of a text in several languages only the longest counts.
    """
    size = _longest(one, "name") + _longest(one, "description") + len(str(one.get("value", "")))
    return size + sum(map(command_size, (*(one.get("options") or ()), *(one.get("choices") or ()))))


def _longest(one: JSON, key: str) -> int:
    return max(len(text) for text in (one.get(key, ""), *(one.get(f"{key}_localizations") or {}).values()))


def _names(options: Sequence[JSON], where: str) -> None:
    names = [one.get("name") for one in options]
    _ask(len({*names}) == len(names), f"{where}: two have the same name")


def _option(one: JSON, where: str) -> None:
    """A command, a group of them, or an option of one."""
    for name in (one.get("name", ""), *(one.get("name_localizations") or {}).values()):
        right = re.fullmatch(r"[-_'\w]{1,32}", name) and name == name.lower()
        _ask(bool(right), f"{where}: {name!r} is no name of a command")
    for text in (one.get("description"), *(one.get("description_localizations") or {}).values()):
        _text(text, f"{where}.description", 1, 100)
    options, choices = one.get("options") or (), one.get("choices") or ()
    _ask(len(options) <= MAX_OPTIONS, f"{where}.options: {len(options)} are more than 25")
    _names(options, where)
    required = [bool(option.get("required")) for option in options]
    _ask(required == sorted(required, reverse=True), f"{where}.options: required ones stand first")
    _ask(len(choices) <= MAX_OPTIONS, f"{where}.choices: {len(choices)} are more than 25")
    _names(choices, f"{where}.choices")
    _ask(not (choices and one.get("autocomplete")), f"{where}: what has choices is not autocompleted")
    least, most = one.get("min_length", 0), one.get("max_length", 6000)
    _ask(0 <= least <= most <= 6000 and most >= 1, f"{where}: a text of {least} to {most} characters")
    for choice in choices:
        _choice(choice)
    for option in options:
        _option(option, f"{where} {option.get('name', '')}")


def _choice(one: JSON) -> None:
    _text(one.get("name"), "choices.name", 1, 100)
    if isinstance(one.get("value"), str):
        _text(one["value"], "choices.value", 1, 100)
    else:
        _ask(isinstance(one.get("value"), int | float), f"choices.value: {one.get('value')!r} is none")


# Asking ----------------------------------------------------------------------------------------------


def _text(text: object, where: str, least: int, most: int) -> None:
    """That a text has so many characters; what is only blank counts as nothing."""
    _ask(isinstance(text, str), f"{where}: {text!r} is no text")
    size = len(str(text))
    _ask(size <= most, f"{where}: {size} characters are more than {most}")
    _ask(least == 0 or bool(str(text).strip()), f"{where}: it is empty")


def _ask(holds: bool, told: str) -> None:
    if not holds:
        raise Refused(told)
