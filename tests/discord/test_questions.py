"""The message of a question: what it tells, whom it mentions, and how it ends."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from kanagawa.cards import CARDS
from tests.discord.conftest import World, answer, buttons_of, last, text_of
from tests.discord.table_talk import open_table, said, table_of
from tests.discord.test_leaving import ask_back, bench_of, by_seat


def posts(world: World, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the bot posts into channels from now on."""
    sent: list[dict[str, Any]] = []
    http = world.client.http
    send = http.send_message

    async def noted(channel_id: Any, *, params: Any) -> Any:
        sent.append(params.payload)
        return await send(channel_id, params=params)

    monkeypatch.setattr(http, "send_message", noted)
    return sent


async def test_a_question_tells_nothing_of_the_game_and_mentions_those_alone_who_are_asked(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even the cards of who asks; nobody but the other people, and a second one mentions nobody."""
    session = await open_table(world, world.ann, world.ben, world.cleo)
    sent = posts(world, monkeypatch)
    mover, _, _ = await ask_back(world, session)
    others = {one.id for one in (world.ann, world.ben, world.cleo)} - {mover.id}
    (asked,) = [one for one in sent if "asks to take back" in (one.get("content") or "")]
    allowed = asked["allowed_mentions"]
    assert {int(one) for one in allowed["users"]} == others
    assert not allowed.get("parse")
    assert not allowed.get("roles")
    names = " ".join(f"<@{one.user}>" for one in session.seats if one.user != mover.id)
    assert asked["content"] == (
        f"{names}: **{mover.name}** asks to take back their last step, and to go on from there. Whatever came"
        " after it is taken back, too. It needs the consent of everybody else who sits at the table."
    )
    assert not any(card in json.dumps(asked) for card in CARDS)
    assert not asked.get("embeds")
    await mover.click(last(world.channel), label="Refuse")
    await mover.click(await bench_of(world, mover, session.id), label="Ask to take it back")
    again = [one for one in sent if "asks to take back" in (one.get("content") or "")][1]
    assert not again["allowed_mentions"].get("users"), "within ten minutes nobody is mentioned twice"
    assert not again["allowed_mentions"].get("parse")


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("how", ["moved", "over", "left"])
async def test_a_question_that_lost_its_sense_says_so_without_its_buttons(
    world: World, how: str, restart: bool
) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo)
    mover, other, question = await ask_back(world, session)
    table, game = world.client.table, session.id
    if how == "moved":
        for _ in range(2):
            session = await table.get(game)
            await table.act(game, session.seats[session.to_move or 0].user, session.version, "stay")
    elif how == "over":
        await table.cancel(game, world.dan.id, moderator=True)
    else:
        await table.concede(game, mover.id)
    if restart:
        await world.restart()
        await world.client.places.show_all()
    else:
        await world.client.publisher.publish(game)
    message = await world.message(world.channel.id, question.id)
    said_so = {"moved": "has moved on", "over": "game has ended", "left": "does not sit there"}[how]
    assert said_so in message["content"]
    assert not buttons_of(message["components"])
    assert await world.store.questions() == []
    assert other.id != mover.id


async def test_a_question_that_a_moderator_deleted_can_be_asked_again_at_once(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover, other, question = await ask_back(world, session)
    await mover.slash(world.channel, "kanagawa concede", friend=world.cleo)
    friends = last(world.channel)
    for one in (question, friends):
        await world.client.http.delete_message(world.channel.id, one.id)
    bench = await bench_of(world, mover, session.id)
    assert "I have asked in the channel" in text_of(
        answer(await mover.click(bench, label="Ask to take it back")).components
    )
    assert "I have asked in the channel" in said(
        await mover.slash(world.channel, "kanagawa concede", friend=world.cleo)
    )
    assert {one.message for one in await world.store.questions()}.isdisjoint({question.id, friends.id})
    newest = next(one for one in world.channel.history() if "asks to take back" in one.content)
    await other.click(newest, label="Allow")
    assert (await world.session()).state == session.state


async def test_a_friend_is_asked_who_can_see_the_channel_and_has_not_said_no(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    stranger = world.env.create_user("eve")
    refused = said(await world.ben.slash(world.channel, "kanagawa concede", friend=stranger))
    assert "cannot see this channel" in refused
    await world.ben.slash(world.channel, "kanagawa concede", friend=world.cleo)
    await world.ben.click(last(world.channel), label="No")
    assert "has withdrawn this question" in last(world.channel).content
    assert "a moment ago" in said(await world.ben.slash(world.channel, "kanagawa concede", friend=world.cleo))
    await world.env.advance_time(601)
    await world.ben.slash(world.channel, "kanagawa concede", friend=world.cleo)
    await world.cleo.click(last(world.channel), label="No")
    await world.env.advance_time(601)
    assert "have said no" in said(await world.ben.slash(world.channel, "kanagawa concede", friend=world.cleo))
    assert (await table_of(world, session.id)).id == session.record.message
    assert by_seat(world, session, 0).id in (world.ann.id, world.ben.id)


async def test_a_question_that_was_granted_by_leaving_says_so(world: World) -> None:
    """Who had yet to answer left, and all who stay had allowed it."""
    session = await open_table(world, world.ann, world.ben, world.cleo)
    mover, _, question = await ask_back(world, session)
    allowing, leaving = [one for one in (world.ann, world.ben, world.cleo) if one.id != mover.id]
    await allowing.click(question, label="Allow")
    await world.client.table.concede(session.id, leaving.id)
    await world.client.publisher.publish(session.id)
    assert len((await world.session()).line) == 1
    message = await world.message(world.channel.id, question.id)
    assert f"The last step of **{mover.name}** is taken back" in message["content"]
    assert not buttons_of(message["components"])


async def test_a_question_whose_id_was_not_kept_is_kept_once_it_is_answered(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies between posting and keeping it; the question is asked again, and both end."""
    session = await open_table(world, world.ann, world.ben, world.cleo)

    async def dies(*_: Any) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(world.client.table, "set_question", dies)
    mover, _, stray = await ask_back(world, session)
    await world.restart()
    await mover.click(await bench_of(world, mover, session.id), label="Ask to take it back")
    kept = last(world.channel)
    first, second = [one for one in (world.ann, world.ben, world.cleo) if one.id != mover.id]
    await first.click(stray, label="Allow")
    await second.click(kept, label="Allow")
    assert len((await world.session()).line) == 1
    for one in (stray, kept):
        assert not buttons_of((await world.message(world.channel.id, one.id))["components"])
    assert await world.store.questions() == []


async def test_a_question_of_an_older_program_is_kept_once_it_is_answered(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo)
    mover, _, question = await ask_back(world, session)
    await world.store.drop_question(question.id)
    old = f'[{{"user":{mover.id},"version":1,"agreed":[0,1,2],"friend":null}}]'
    await world.store._db.execute_fetchall("UPDATE game SET asks = ?", (old,))
    await world.restart()
    first = next(one for one in (world.ann, world.ben, world.cleo) if one.id != mover.id)
    await first.click(question, label="Allow")
    (kept,) = await world.store.questions()
    assert kept.message == question.id
    await world.client.table.cancel(session.id, world.dan.id, moderator=True)
    await world.client.publisher.publish(session.id)
    message = await world.message(world.channel.id, question.id)
    assert "game has ended" in message["content"]
    assert not buttons_of(message["components"])
