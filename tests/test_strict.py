"""Each limit of Discord is noticed: a payload that breaks it is refused, and one just inside of it is not."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import discord
import pytest

from cogs.group import kanagawa
from tests import strict
from tests.strict import COMPONENTS_V2, EPHEMERAL, Asked, Refused, Upload

V2 = {"flags": COMPONENTS_V2}
#: A picture that is uploaded, and the message that shows it.
PICTURE = Upload("files[0]", "wall-1.png", 1000)
KEPT = {"id": "77", "filename": "wall-1.png", "url": "https://cdn.invalid/77/wall-1.png"}


def text(content: str = "a") -> dict[str, Any]:
    return {"type": 10, "content": content}


def button(**more: Any) -> dict[str, Any]:
    return {"type": 2, "style": 1, "label": "Take 1", "custom_id": "kg:1:1:take.1", **more}


def row(*children: dict[str, Any]) -> dict[str, Any]:
    return {"type": 1, "components": list(children)}


def option(value: str = "a", **more: Any) -> dict[str, Any]:
    return {"label": "A card", "value": value, **more}


def select(*options: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": 3, "custom_id": "pick", "options": list(options or (option(),)), **more}


def gallery(
    url: str = "attachment://wall-1.png", description: str = "A wall", count: int = 1
) -> dict[str, Any]:
    item = {"media": {"url": url}, "description": description}
    return {"type": 12, "items": [item] * count}


def rich(*components: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {**V2, "components": list(components), **more}


def classic(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"content": "a", "components": list(rows), **more}


def box(*components: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": 17, "components": list(components), **more}


def section(accessory: Any, *texts: dict[str, Any]) -> dict[str, Any]:
    return {"type": 9, "components": list(texts), "accessory": accessory}


def buttons(count: int) -> list[dict[str, Any]]:
    return [button(custom_id=str(number)) for number in range(count)]


# New messages ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "payload",
    [
        {"content": "a" * 2000},
        {"content": "until <t:1764500000:R>, <t:-1>, and \\<t:nothing\\>"},
        {"content": "a", "allowed_mentions": {"parse": [], "users": list(range(1, 101))}, "nonce": "9" * 25},
        {"content": "a", "flags": strict.SUPPRESS_EMBEDS | strict.SILENT},
        {"embeds": [{"title": "a" * 256, "description": "a" * 4096}]},
        classic(*(row(*buttons(5)[number : number + 1]) for number in range(5))),
        classic(row(*buttons(5))),
        classic(row(button(label="a" * 80, custom_id="a" * 100))),
        classic(row({"type": 2, "style": 2, "custom_id": "a", "emoji": {"id": None, "name": "🪑"}})),
        classic(row({"type": 2, "style": 5, "label": "a", "url": "https://example.invalid"})),
        classic(row({"type": 2, "style": 6, "sku_id": "1"})),
        classic(row(select(*(option(str(number)) for number in range(25)), placeholder="a" * 150))),
        classic(row(select(option("a" * 100, label="a" * 100, description="a" * 100, default=True)))),
        rich(*(text() for _ in range(40))),
        rich(text("a" * 4000)),
        rich(box(text(), row(button()), {"type": 14, "spacing": 2}, accent_color=0xFFFFFF)),
        rich(section(button(), text(), text(), text())),
        rich(gallery("https://example.invalid/a.png", "a" * 1024, 10)),
    ],
)
def test_what_keeps_within_the_limits_is_taken(payload: dict[str, Any]) -> None:
    strict.message(payload, lasting=True)


BROKEN: Sequence[tuple[dict[str, Any], str]] = [
    ({"content": ""}, "the message is empty"),
    ({"content": " \n"}, "the message is empty"),
    ({"content": "a" * 2001}, "content: 2001 characters"),
    ({"content": "<t:soon:R>"}, "no timestamp"),
    ({"content": "<t:1764500000.5:R>"}, "no timestamp"),
    ({"content": "<t:99999999999999:R>"}, "no timestamp"),
    ({"content": "a", "nonce": "9" * 26}, "nonce: 26"),
    ({"content": "a", "flags": EPHEMERAL}, "cannot have 64"),
    ({"content": "a", "allowed_mentions": {"parse": ["users"], "users": [1]}}, "all of them allowed"),
    ({"content": "a", "allowed_mentions": {"users": list(range(101))}}, "101 are more than 100"),
    ({"content": "a", "allowed_mentions": {"users": [1, "1"]}}, "twice"),
    ({"content": "a", "allowed_mentions": {"users": ["ann"]}}, "no IDs"),
    ({"content": "a", "allowed_mentions": {"parse": ["anybody"]}}, "unknown"),
    ({"content": "a", "allowed_mentions": {"parse": ["users", "users"]}}, "twice"),
    ({"embeds": [{"title": "a"}] * 11}, "more than 10"),
    ({"embeds": [{"title": "a" * 257}]}, "title: 257"),
    ({"embeds": [{"description": "a" * 4097}]}, "description: 4097"),
    ({"embeds": [{"fields": [{"name": "a", "value": "a"}] * 26}]}, "more than 25"),
    ({"embeds": [{"fields": [{"name": "", "value": "a"}]}]}, "it is empty"),
    ({"embeds": [{"fields": [{"name": "a", "value": "a" * 1025}]}]}, "1025"),
    ({"embeds": [{"footer": {"text": "a" * 2049}}]}, "2049"),
    ({"embeds": [{"author": {"name": "a" * 257}}]}, "257"),
    ({"embeds": [{"description": "a" * 4000}] * 2}, "8000 characters in all"),
    (rich(), "has some"),
    (rich(text(), content="a"), "content: a message of components has none"),
    (rich(text(), embeds=[{"title": "a"}]), "embeds: a message of components has none"),
    (rich(text(), poll={"question": {}}), "poll: a message of components has none"),
    ({"components": [text()]}, "want IS_COMPONENTS_V2"),
    (rich(*(text() for _ in range(41))), "41 in all are more than 40"),
    (rich(box(*(row(*buttons(0), button(custom_id=str(one))) for one in range(20)))), "41 in all"),
    (rich(text("a" * 2001), box(text("a" * 2000))), "4001 characters of text in all"),
    (rich(text("")), "it is empty"),
    (rich(text("   ")), "it is empty"),
    (rich(text("<t:soon>")), "no timestamp"),
    (rich(box()), "a container is not empty"),
    (rich(box(box(text()))), "holds no component of kind 17"),
    (rich(box(text(), accent_color=0x1000000)), "no colour"),
    (rich(button()), "2 does not stand alone"),
    (rich({"type": 4}), "4 does not stand alone"),
    (rich(text(), {"type": 14, "spacing": 3}), "not 1 or 2"),
    (rich({**text(), "id": 5}, {**text(), "id": 5}), "id {5} stands there more than once"),
    (rich(section(button())), "1 to 3 texts"),
    (rich(section(button(), *[text()] * 4)), "1 to 3 texts"),
    (rich(section(None, text())), "a button or a thumbnail"),
    (rich(gallery(count=0)), "0 pictures are not 1 to 10"),
    (rich(gallery("https://example.invalid/a", count=11)), "11 pictures"),
    (rich(gallery("https://example.invalid/a", "a" * 1025)), "description: 1025"),
    (rich(gallery("wall-1.png")), "no address"),
    (rich(gallery()), "neither uploaded nor kept"),
    (rich({"type": 13, "file": {"url": "https://example.invalid/a"}}), "attachments alone"),
    (classic(*(row(button(custom_id=str(one))) for one in range(6))), "6 rows"),
    (classic(row()), "is no row"),
    (classic(row(*buttons(6))), "is no row"),
    (classic(row(select(), select(custom_id="other"))), "is no row"),
    (classic(row(button(custom_id="other"), select())), "is no row"),
    (classic(row(text())), "is no row"),
    (classic(row(button(), button())), "stands there more than once"),
    (rich(box(row(button())), row(button())), "stands there more than once"),
    (classic(row(button(custom_id=""))), "custom_id: it is empty"),
    (classic(row(button(custom_id="a" * 101))), "custom_id: 101"),
    (classic(row(button(label="a" * 81))), "label: 81"),
    (classic(row(button(label=""))), "label: it is empty"),
    (classic(row(button(label=" "))), "label: it is empty"),
    (classic(row(button(style=7))), "style: 7"),
    (classic(row(button(url="https://example.invalid"))), "only a link"),
    (classic(row(button(sku_id="1"))), "only a premium button"),
    (classic(row(button(style=5, url="https://example.invalid"))), "a link has none"),
    (classic(row({"type": 2, "style": 5, "label": "a", "url": "ftp://a"})), "url: 'ftp://a'"),
    (classic(row({"type": 2, "style": 5, "label": "a", "url": "https://" + "a" * 505})), "513 characters"),
    (classic(row(button(style=6, sku_id="1"))), "nothing else"),
    (classic(row(button(emoji={"id": None, "name": "✖"}))), "not among those known"),
    (classic(row(button(emoji={"id": None, "name": "→"}))), "not among those known"),
    (classic(row(select(options=[]))), "0 are not 1 to 25"),
    (classic(row(select(*(option(str(one)) for one in range(26))))), "26 are not 1 to 25"),
    (classic(row(select(option(), option()))), "the same value"),
    (classic(row(select(option(""), max_values=1))), "value: it is empty"),
    (classic(row(select(option("a" * 101)))), "value: 101"),
    (classic(row(select(option(label="")))), "label: it is empty"),
    (classic(row(select(option(label="a" * 101)))), "label: 101"),
    (classic(row(select(option(description="a" * 101)))), "description: 101"),
    (classic(row(select(option(emoji={"name": "x"})))), "not among those known"),
    (classic(row(select(placeholder="a" * 151))), "placeholder: 151"),
    (classic(row(select(custom_id=""))), "custom_id: it is empty"),
    (classic(row(select(min_values=2))), "2 to 1 values"),
    (classic(row(select(max_values=2))), "more than there are options"),
    (classic(row(select(option(default=True), option("b", default=True)))), "too many defaults"),
]


@pytest.mark.parametrize(("payload", "told"), BROKEN, ids=[told for _, told in BROKEN])
def test_what_breaks_a_limit_of_messages_is_refused(payload: dict[str, Any], told: str) -> None:
    with pytest.raises(Refused) as refused:
        strict.message(payload, lasting=True)
    assert told in str(refused.value)


# Files -----------------------------------------------------------------------------------------------


def listed(*attachments: dict[str, Any], **more: Any) -> dict[str, Any]:
    return rich(gallery(), attachments=list(attachments), **more)


def test_a_picture_is_uploaded_or_kept_and_shown() -> None:
    strict.message(listed({"id": 0, "filename": "wall-1.png", "description": "a" * 1024}), [PICTURE])
    before = {**V2, "attachments": [KEPT]}
    strict.message(listed({"id": "77", "filename": "wall-1.png"}), (), before)
    strict.message(rich(gallery()), (), before)
    strict.message(rich(gallery(KEPT["url"])), (), before)
    file = {"type": 13, "file": {"url": "attachment://game.json"}}
    strict.message(rich(file), [Upload("files[0]", "game.json", 1)])


@pytest.mark.parametrize(
    ("payload", "files", "told"),
    [
        (rich(text()), [PICTURE], "no component shows ['wall-1.png']"),
        (listed(), [PICTURE], "['files[0]'] are not listed"),
        (listed({"id": 1, "filename": "wall-1.png"}), [PICTURE], "neither uploaded nor in the message"),
        (listed({"id": 0, "filename": "wall-2.png"}), [PICTURE], "is not the name of files[0]"),
        (listed({"id": 0, "description": "a" * 1025}), [PICTURE], "description: 1025"),
        (rich(gallery()), [PICTURE._replace(filename="a wall.png")], "would not keep the file name"),
        (rich(gallery()), [PICTURE._replace(part="wall")], "no name of a part"),
        (rich(gallery()), [PICTURE._replace(size=(10 << 20) + 1)], "more than 10 MiB"),
        (rich(gallery()), [PICTURE, PICTURE], "two parts have the same name"),
        (rich(gallery()), [PICTURE, PICTURE._replace(part="files[1]")], "a name twice"),
        ({}, [Upload(f"files[{one}]", f"{one}.png", 9 << 20) for one in range(3)], "more than 25 MiB"),
        ({}, [Upload(f"files[{one}]", f"{one}.png", 1) for one in range(11)], "11 are more than 10"),
    ],
)
def test_what_breaks_a_limit_of_files_is_refused(
    payload: dict[str, Any], files: list[Upload], told: str
) -> None:
    with pytest.raises(Refused) as refused:
        strict.message(payload, files)
    assert told in str(refused.value)


# Edits -----------------------------------------------------------------------------------------------

SHOWN = {"type": 12, "items": [{"media": {"url": KEPT["url"], "attachment_id": KEPT["id"]}}]}
TABLE = {"id": "1", "flags": COMPONENTS_V2, "components": [SHOWN], "attachments": [KEPT]}
QUESTION = {"id": "2", "flags": 0, "content": "a?", "components": [row(button())], "attachments": []}


@pytest.mark.parametrize(
    ("payload", "before", "told"),
    [
        ({"flags": 0, "content": "a", "components": []}, TABLE, "cannot be taken off"),
        ({"content": "a"}, TABLE, "content: a message of components has none"),
        ({"components": []}, {"flags": COMPONENTS_V2, "components": [text()]}, "has some"),
        ({"attachments": []}, TABLE, "neither uploaded nor kept"),
        ({"attachments": [{"id": "77"}]}, TABLE, "has its name as well"),
        ({"attachments": [{"id": "78", "filename": "wall-1.png"}]}, TABLE, "nor in the message"),
        ({"attachments": [{"id": "77", "filename": "wall-1.png"}] * 2}, TABLE, "kept twice"),
        (rich(text(), attachments=[{"id": "77", "filename": "wall-1.png"}]), TABLE, "no component shows"),
        (rich(text()), TABLE, "no component shows"),
        (rich(text()), QUESTION, "content: a message of components has none"),
        ({"content": None, "components": []}, QUESTION, "the message is empty"),
        ({"flags": EPHEMERAL}, QUESTION, "an edit cannot set 64"),
    ],
)
def test_an_edit_that_leaves_something_impossible_is_refused(
    payload: dict[str, Any], before: dict[str, Any], told: str
) -> None:
    with pytest.raises(Refused) as refused:
        strict.message(payload, (), before)
    assert told in str(refused.value)


def test_an_edit_that_leaves_something_possible_is_taken() -> None:
    strict.message({"content": "b", "components": []}, (), QUESTION)
    strict.message(rich(text(), content=None), (), QUESTION)
    strict.message(rich(text(), attachments=[]), (), TABLE)


# Answers, threads, commands --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "payload", "told"),
    [
        (Asked(2, True), {"type": 4, "data": {"content": "a"}}, "by one callback"),
        (Asked(2, False), {"type": 6}, "kind 2 has no answer of kind 6"),
        (Asked(2, False), {"type": 7, "data": {"content": "a"}}, "kind 2 has no answer of kind 7"),
        (Asked(2, False), {"type": 8, "data": {"choices": []}}, "kind 2 has no answer of kind 8"),
        (Asked(3, False), {"type": 8, "data": {"choices": []}}, "kind 3 has no answer of kind 8"),
        (Asked(4, False), {"type": 4, "data": {"content": "a"}}, "kind 4 has no answer of kind 4"),
        (Asked(5, False), {"type": 9, "data": {}}, "kind 5 has no answer of kind 9"),
        (Asked(2, False), {"type": 4, "data": {}}, "the message is empty"),
        (Asked(2, False), {"type": 5, "data": {"flags": COMPONENTS_V2}}, "no flag but EPHEMERAL"),
        (Asked(3, False), {"type": 7, "data": {"content": "a"}}, "a message of components has none"),
        (
            Asked(4, False),
            {"type": 8, "data": {"choices": [{"name": "a", "value": "a"}] * 26}},
            "26 are more",
        ),
        (
            Asked(4, False),
            {"type": 8, "data": {"choices": [{"name": "", "value": "a"}]}},
            "name: it is empty",
        ),
        (Asked(4, False), {"type": 8, "data": {"choices": [{"name": "a" * 101, "value": "a"}]}}, "name: 101"),
        (
            Asked(4, False),
            {"type": 8, "data": {"choices": [{"name": "a", "value": "a" * 101}]}},
            "value: 101",
        ),
        (Asked(4, False), {"type": 8, "data": {"choices": [{"name": "a", "value": None}]}}, "is none"),
        (Asked(2, False), {"type": 9, "data": {"title": "a" * 46, "custom_id": "a"}}, "title: 46"),
        (Asked(2, False), {"type": 9, "data": {"title": "a", "custom_id": ""}}, "custom_id: it is empty"),
        (Asked(2, False), {"type": 9, "data": {"title": "a", "custom_id": "a"}}, "1 to 5 components"),
    ],
)
def test_an_answer_that_an_interaction_cannot_have_is_refused(
    asked: Asked, payload: dict[str, Any], told: str
) -> None:
    with pytest.raises(Refused) as refused:
        strict.callback(payload, (), asked, TABLE)
    assert told in str(refused.value)


def test_an_answer_that_an_interaction_can_have_is_taken() -> None:
    strict.callback({"type": 4, "data": {"content": "a", "flags": EPHEMERAL}})
    strict.callback({"type": 5, "data": {"flags": EPHEMERAL}})
    strict.callback({"type": 6}, (), Asked(3, False), TABLE)
    strict.callback({"type": 7, "data": {"content": "b"}}, (), Asked(3, False), QUESTION)
    strict.callback({"type": 8, "data": {"choices": [{"name": "a", "value": 1}]}}, (), Asked(4, False))


def test_threads_have_a_name_and_close_after_a_time_that_discord_knows() -> None:
    strict.thread({"name": "a" * 100, "auto_archive_duration": 10080}, new=True)
    strict.thread({"archived": True}, new=False)
    for payload in ({"name": ""}, {"name": "a" * 101}, {}, {"name": "a", "auto_archive_duration": 61}):
        with pytest.raises(Refused):
            strict.thread(payload, new=True)


def command(**more: Any) -> dict[str, Any]:
    return {"name": "kanagawa", "description": "a", **more}


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (command(name="Kanagawa"), "no name of a command"),
        (command(name="a b"), "no name of a command"),
        (command(name="a" * 33), "no name of a command"),
        (command(name_localizations={"de": "a b"}), "no name of a command"),
        (command(description=""), "description: it is empty"),
        (command(description="a" * 101), "description: 101"),
        (command(description_localizations={"de": "a" * 101}), "description: 101"),
        (command(options=[command(name=f"a{one}") for one in range(26)]), "26 are more than 25"),
        (command(options=[command(), command()]), "the same name"),
        (command(options=[command(name="a"), command(name="b", required=True)]), "required ones stand first"),
        (command(options=[command(choices=[{"name": str(one), "value": one} for one in range(26)])]), "26"),
        (command(options=[command(choices=[{"name": "a", "value": 1}] * 2)]), "the same name"),
        (command(options=[command(choices=[{"name": "a", "value": 1}], autocomplete=True)]), "autocompleted"),
        (command(options=[command(max_length=6001)]), "characters"),
        (command(contexts=[3]), "contexts"),
        (command(integration_types=[2]), "integration_types"),
        (command(default_member_permissions="all"), "default_member_permissions"),
        (
            command(
                options=[
                    command(
                        name=f"a{one}",
                        options=[command(name=f"b{two}", description="a" * 100) for two in range(5)],
                    )
                    for one in range(25)
                ]
            ),
            "characters in all are more than 8000",
        ),
    ],
)
def test_what_breaks_a_limit_of_commands_is_refused(broken: dict[str, Any], told: str) -> None:
    with pytest.raises(Refused) as refused:
        strict.commands([broken])
    assert told in str(refused.value)


def test_of_a_text_in_several_languages_the_longest_counts() -> None:
    one = command(description_localizations={"de": "a" * 50}, options=[{"name": "b", "value": 12}])
    assert strict.command_size(one) == len("kanagawa") + 50 + len("b") + len("12")


def test_the_commands_of_the_bot_can_be_registered() -> None:
    """There was a limit of half as many characters, by which they keep as well."""
    tree = discord.app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    tree.add_command(kanagawa)
    payload = [one.to_dict(tree) for one in tree.get_commands()]
    strict.commands(payload)
    assert strict.command_size(payload[0]) < strict.MAX_COMMAND // 2


# Requests --------------------------------------------------------------------------------------------


class Nothing:
    """A simulation in which a message stands, and a command waits for its answer."""

    def standing(self, path: Sequence[str]) -> dict[str, Any] | None:
        return None if path[-1] == "404" else QUESTION

    def asked(self, path: Sequence[str]) -> Asked:
        return Asked(2, False)


@pytest.fixture
def noted() -> Callable[[], list[str]]:
    """What has been refused so far; it is no failure of the test."""

    def taken() -> list[str]:
        notes = list(strict.refused)
        strict.refused.clear()
        return notes

    return taken


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/channels/1/messages"),
        ("PATCH", "/channels/1/messages/2"),
        ("POST", "/webhooks/1/token"),
        ("PATCH", "/webhooks/1/token/messages/@original"),
        ("POST", "/interactions/1/token/callback"),
        ("POST", "/channels/1/threads"),
        ("POST", "/channels/1/messages/2/threads"),
        ("PATCH", "/channels/1"),
        ("PUT", "/applications/1/commands"),
        ("PUT", "/applications/1/guilds/1/commands"),
    ],
)
def test_every_request_that_says_something_is_looked_at_and_a_refusal_noted(
    method: str, path: str, noted: Callable[[], list[str]]
) -> None:
    payload: Any = {"content": "a" * 2001, "name": "a" * 101, "type": 99}
    payload = [payload] if path.endswith("commands") else payload
    with pytest.raises(Refused):
        strict.request(Nothing(), method, path, payload, ())
    assert [one.startswith(f"{method} {path}: ") for one in noted()] == [True]


def test_an_edit_of_a_message_that_is_gone_is_not_looked_at() -> None:
    strict.request(Nothing(), "PATCH", "/channels/1/messages/404", {"content": "a" * 2001}, ())


def test_the_files_of_a_form_are_known_by_part_and_size() -> None:
    file = io.BytesIO(b"12345")
    file.seek(2)
    fields = [
        {"name": "payload_json", "value": "{}"},
        {"name": "files[0]", "filename": "a.png", "value": file},
    ]
    assert strict.uploads(fields) == (Upload("files[0]", "a.png", 5),)
    assert file.tell() == 2
