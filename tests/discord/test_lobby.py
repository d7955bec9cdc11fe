"""Opening, joining, starting and cancelling a game in a simulated Discord."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import discord
import pytest
import simcord

import bot
from cogs.client import Client
from cogs.guide import BOOKS
from cogs.lobby import KIND
from kanagawa.state import Mode
from table.errors import NoGame, NotHost, NotSeated, TakenOut
from table.store import Seat
from tests.discord.conftest import World, answer, buttons_of, last, text_of
from tests.discord.table_talk import controls, emit_press, said, table_of


async def lobby(world: World, host: simcord.MemberActor | None = None) -> discord.Message:
    await (host or world.ann).slash(world.channel, "kanagawa new")
    return last(world.channel)


async def shown(world: World, message: discord.Message) -> list[dict[str, Any]]:
    """The components of a message as it is now."""
    return (await world.message(message.channel.id, message.id))["components"]


async def test_a_lobby_shows_who_sits_there_and_what_can_be_done(world: World) -> None:
    message = await lobby(world)
    components = await shown(world, message)
    assert "1. **ann** · host" in text_of(components)
    assert "One more player is needed" in text_of(components)
    assert list(buttons_of(components)) == ["Join", "Leave", "Start", "Cancel"]
    assert buttons_of(components)["Start"]["disabled"]
    assert (await world.session()).record.message == message.id


async def test_people_join_leave_and_the_host_starts(world: World) -> None:
    message = await lobby(world)
    for one in (world.ben, world.cleo):
        result = await one.click(message, label="Join")
        assert result.acknowledged
    await world.cleo.click(message, label="Leave")
    await world.dan.click(message, label="Join")
    text = text_of(await shown(world, message))
    assert "2. **ben**\n3. **dan**" in text
    assert "One seat is free" in text
    await world.ann.click(message, label="Start")
    session = await world.session()
    assert {seat.name for seat in session.seats} == {"ann", "ben", "dan"}
    assert session.version == 0
    assert session.record.message == message.id, "the lobby's message becomes the table"
    assert "Join" not in buttons_of(await shown(world, message))


async def test_a_full_table_takes_nobody_more(world: World) -> None:
    message = await lobby(world)
    for one in (world.ben, world.cleo, world.dan):
        await one.click(message, label="Join")
    components = await shown(world, message)
    assert "The table is full" in text_of(components)
    assert buttons_of(components)["Join"]["disabled"]
    eve = world.guild.add_member(world.env.create_user("eve"))
    with pytest.raises(simcord.SetupError, match="disabled"):
        await eve.click(message, label="Join")


@pytest.mark.parametrize(
    ("who", "label", "said"),
    [
        ("ann", "Join", "You sit at this table already"),
        ("cleo", "Leave", "You do not sit at this table"),
        ("ben", "Start", "Only the host"),
        ("cleo", "Start", "Only the host"),
        ("ben", "Cancel", "Only the host"),
    ],
)
async def test_a_click_that_is_not_for_a_person_is_answered_in_private(
    world: World, who: str, label: str, said: str
) -> None:
    message = await lobby(world)
    await world.ben.click(message, label="Join")
    before = await shown(world, message)
    result = await getattr(world, who).click(message, label=label)
    assert result.ephemeral
    assert said in answer(result).content
    assert await shown(world, message) == before


async def test_the_next_one_becomes_host_and_the_last_one_closes_the_lobby(world: World) -> None:
    message = await lobby(world)
    await world.ben.click(message, label="Join")
    await world.ann.click(message, label="Leave")
    assert "1. **ben** · host" in text_of(await shown(world, message))
    await world.ben.click(message, label="Leave")
    assert "cancelled before it began" in text_of(await shown(world, message))
    assert not buttons_of(await shown(world, message))
    with pytest.raises(NoGame):
        await world.session()


async def test_people_who_join_at_once_all_sit_and_are_all_shown(world: World) -> None:
    message = await lobby(world)
    session = await world.session()
    await asyncio.gather(
        *(world.client.table.join(session.id, Seat(one.id, one.name)) for one in (world.ben, world.cleo))
    )
    await world.dan.click(message, label="Join")
    text = text_of(await shown(world, message))
    assert all(f"**{one.name}**" in text for one in world.people)


async def test_a_channel_holds_one_game_and_another_channel_another(world: World) -> None:
    await lobby(world)
    result = await world.ben.slash(world.channel, "kanagawa new")
    assert result.ephemeral
    assert "a game in this channel already" in answer(result).content
    other = world.guild.create_text_channel("other")
    await world.ben.slash(other, "kanagawa new")
    assert (await world.session(other)).record.host == world.ben.id


async def test_the_buttons_of_a_lobby_work_after_a_restart(world: World) -> None:
    message = await lobby(world)
    await world.restart()
    await world.ben.click(message, label="Join")
    await world.restart()
    await world.ann.click(message, label="Start")
    assert (await world.session()).version == 0


async def test_old_buttons_of_a_lobby_say_what_became_of_it(world: World) -> None:
    message = await lobby(world)
    await world.ben.click(message, label="Join")
    old = await world.message(world.channel.id, message.id)
    await world.ann.click(message, label="Start")
    # What a phone that has not refreshed still shows: the lobby with its buttons.
    world.env.backend.edit_message(world.channel.id, message.id, {"components": old["components"]})
    result = await world.cleo.click(message, label="Join")
    assert "has started already" in answer(result).content
    result = await world.ann.click(message, label="Start")
    assert "has started already" in answer(result).content


async def test_a_start_that_was_saved_and_not_shown_is_shown_by_the_next_press(world: World) -> None:
    message = await lobby(world)
    await world.ben.click(message, label="Join")
    await world.client.table.start((await world.session()).id, world.ann.id)
    await world.restart()
    assert "has started already" in answer(await world.ann.click(message, label="Start")).content
    assert "My table" in buttons_of(await shown(world, message))


async def test_a_join_that_was_saved_and_not_shown_is_shown_after_a_restart(world: World) -> None:
    message = await lobby(world)
    await world.client.table.join((await world.session()).id, Seat(world.ben.id, "ben"))
    await world.restart()
    await bot.publish_all(world.client)
    assert "**ben**" in text_of(await shown(world, message))


async def test_a_lobby_that_was_saved_and_never_shown_is_there_after_a_restart(world: World) -> None:
    table = world.client.table
    await table.open(KIND, world.channel.id, Seat(world.ann.id, "ann"), {"mode": Mode.TABLE.value})
    await world.restart()
    await bot.publish_all(world.client)
    await world.ben.click(last(world.channel), label="Join")
    assert (await world.session()).record.message == last(world.channel).id
    assert "**ben**" in text_of(await shown(world, last(world.channel)))


async def test_a_lobby_that_closed_unseen_is_shown_as_closed_by_the_next_press(world: World) -> None:
    message = await lobby(world)
    await world.client.table.cancel((await world.session()).id, world.ann.id)
    assert "has ended" in answer(await world.ben.click(message, label="Join")).content
    assert "cancelled before it began" in text_of(await shown(world, message))


async def test_who_presses_start_twice_finds_the_game_in_its_thread_alone(world: World) -> None:
    await world.ann.slash(world.channel, "kanagawa new", thread=True)
    message = last(world.channel)
    await world.ben.click(message, label="Join")
    raw = await world.message(world.channel.id, message.id)
    start = buttons_of(raw["components"])["Start"]["custom_id"]
    for _ in range(2):
        emit_press(world, world.ann, raw, start)
    await world.env.settle()
    (thread,) = world.channel.threads
    assert (await world.session(thread)).version == 0
    assert "is played in" in text_of(await shown(world, message))
    assert not (await world.message(world.channel.id, message.id))["attachments"]


@pytest.mark.parametrize(
    "custom_id",
    ["kglobby:", "kglobby:x:join", "kglobby:1:hack", "kglobby:999:join", "kgguide:rules:99"],
)
async def test_forged_buttons_are_answered(world: World, custom_id: str) -> None:
    message = await lobby(world)
    button = {"type": 1, "components": [{"type": 2, "style": 1, "label": "Forged", "custom_id": custom_id}]}
    world.env.backend.edit_message(world.channel.id, message.id, {"components": [button]})
    result = await world.ben.click(message, label="Forged")
    assert result.ephemeral
    assert answer(result).content


async def test_a_lobby_that_chat_has_buried_comes_to_the_bottom_with_its_buttons(world: World) -> None:
    message = await lobby(world)
    await world.dan.send(world.channel, "how was your day?")
    assert answer(await world.ben.slash(world.channel, "kanagawa table")).content
    below = last(world.channel)
    assert below.id != message.id
    assert (await world.session()).record.message == below.id
    with pytest.raises(discord.NotFound):
        await world.message(world.channel.id, message.id)
    await world.ben.click(below, label="Join")
    assert "**ben**" in text_of(await shown(world, below))


async def test_a_lobby_whose_message_was_deleted_can_be_shown_again(world: World) -> None:
    message = await lobby(world)
    await message.delete()
    said = answer(await world.ann.slash(world.channel, "kanagawa table")).content
    assert "at the bottom" in said
    await world.ben.click(last(world.channel), label="Join")
    assert len((await world.session()).seats) == 2


# Cancelling -----------------------------------------------------------------------------------------


async def test_cancelling_a_lobby_asks_first_and_closes_it(world: World) -> None:
    message = await lobby(world)
    asked = await world.ann.click(message, label="Cancel")
    assert asked.ephemeral
    assert "before it begins" in answer(asked).content
    assert await world.session()
    await world.ann.click(answer(asked), label="Yes, cancel it")
    assert "cancelled before it began" in text_of(await shown(world, message))
    with pytest.raises(NoGame):
        await world.session()
    again = (
        await world.ann.click(answer(asked), label="Yes, cancel it")
        if buttons_of(answer(asked).components)
        else None
    )
    assert again is None, "the question goes when it is answered"


async def test_a_moderator_who_never_sat_ends_a_game_and_one_who_did_does_not(world: World) -> None:
    role = world.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
    mod, sitting = [
        world.guild.add_member(world.env.create_user(name), roles=[role]) for name in ("mod", "sitting")
    ]
    message = await lobby(world)
    for one in (world.ben, sitting):
        await one.click(message, label="Join")
    await world.ann.click(message, label="Start")
    game = (await world.session()).id
    asked = await sitting.slash(world.channel, "kanagawa cancel")
    await sitting.click(answer(asked), label="Yes, cancel it")
    assert not (await world.session()).finished, "it takes the others, too"
    await world.client.table.concede(game, sitting.id)
    asked = await sitting.slash(world.channel, "kanagawa cancel")
    refused = await sitting.click(answer(asked), label="Yes, cancel it")
    assert "a moderator who never sat in it" in answer(refused).content
    assert not (await world.session()).finished, "nor after having left"
    asked = await mod.slash(world.channel, "kanagawa cancel")
    assert "It counts for nobody" in answer(asked).content
    await mod.click(answer(asked), label="Yes, cancel it")
    assert (await world.client.table.get(game)).record.finished == "cancelled"
    assert await world.store.result(game) is None
    assert not any("stay" in label.casefold() for label in buttons_of(await shown(world, message)))
    assert "cancelled" in text_of(await shown(world, message)).casefold()


async def test_only_the_host_and_moderators_cancel(world: World) -> None:
    await lobby(world)
    refused = await world.ben.slash(world.channel, "kanagawa cancel")
    assert "Only the host" in answer(refused).content
    role = world.guild.create_role("Mods", permissions=discord.Permissions(manage_messages=True))
    mod = world.guild.add_member(world.env.create_user("mod"), roles=[role])
    asked = await mod.slash(world.channel, "kanagawa cancel")
    await mod.click(answer(asked), label="Yes, cancel it")
    with pytest.raises(NoGame):
        await world.session()


async def test_cancelling_where_there_is_no_game_says_so(world: World) -> None:
    result = await world.ann.slash(world.channel, "kanagawa cancel")
    assert "no game in this channel" in answer(result).content


async def test_who_was_asked_about_a_lobby_has_not_said_yes_to_ending_the_game(world: World) -> None:
    message = await lobby(world)
    await world.ben.click(message, label="Join")
    asked = await world.ann.click(message, label="Cancel")
    await world.ann.click(message, label="Start")
    refused = await world.ann.click(answer(asked), label="Yes, cancel it")
    assert "started already" in answer(refused).content
    assert not (await world.session()).finished


# Solo, threads, DMs, permissions ----------------------------------------------------------------------


async def test_a_solo_game_starts_at_once_in_the_channel(world: World) -> None:
    result = await world.ann.slash(world.channel, "kanagawa solo")
    assert result.ephemeral
    session = await world.session()
    assert session.state.mode is Mode.OSAHITO
    assert session.record.message is not None
    assert session.record.message == last(world.channel).id


async def test_a_solo_game_in_a_direct_message(world: World) -> None:
    await world.ann.user.slash("kanagawa solo")
    games = await world.client.table.live()
    assert [game.host for game in games] == [world.ann.id]
    assert games[0].message is not None


async def test_a_lobby_in_a_thread(world: World) -> None:
    parent = world.client.get_channel(world.channel.id)
    assert isinstance(parent, discord.TextChannel)
    await parent.create_thread(name="a game", type=discord.ChannelType.public_thread)
    [thread] = world.channel.threads
    await world.ann.slash(thread, "kanagawa new")
    message = last(thread)
    await world.ben.click(message, label="Join")
    await world.ann.click(message, label="Start")
    assert (await world.session(thread)).version == 0


@pytest.mark.parametrize("command", ["kanagawa new", "kanagawa solo"])
async def test_missing_permissions_are_named_and_no_game_opens(world: World, command: str) -> None:
    me = world.client.user
    assert me is not None
    closed = world.guild.create_text_channel(
        "closed",
        overwrites={me: discord.PermissionOverwrite(attach_files=False, send_messages=False)},
    )
    result = await world.ann.slash(closed, command)
    assert result.ephemeral
    assert "**Send Messages** and **Attach Files**" in answer(result).content
    with pytest.raises(NoGame):
        await world.session(closed)


@pytest.mark.parametrize("command", ["kanagawa new", "kanagawa solo"])
async def test_where_only_the_commands_were_invited_no_game_opens(
    world: World, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Client, "guilds", [discord.Object(1)])
    assert "not a member" in answer(await world.ann.slash(world.channel, command)).content
    with pytest.raises(NoGame):
        await world.session()


async def test_who_starts_a_game_that_cannot_be_shown_is_told(world: World) -> None:
    message = await lobby(world)
    await world.ben.click(message, label="Join")
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50001)
    started = await world.ann.click(message, label="Start")
    assert "What you did counts" in answer(started).content
    other = world.guild.create_text_channel("other")
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50001)
    alone = await world.ann.slash(other, "kanagawa solo")
    assert "What you did counts" in answer(alone).content


# Failing answers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (400, 40060), (500, 0)])
async def test_a_join_counts_although_its_answer_fails(
    world: World, status: int, code: int, caplog: pytest.LogCaptureFixture
) -> None:
    message = await lobby(world)
    world.env.inject_error("POST", "/interactions/*/callback", status=status, code=code, times=None)
    with caplog.at_level(logging.WARNING):
        await world.ben.click(message, label="Join")
    assert [seat.name for seat in (await world.session()).seats] == ["ann", "ben"]
    assert "**ben**" in text_of(await shown(world, message)), "shown by an edit instead"


async def test_a_lobby_whose_answer_fails_is_there_all_the_same(world: World) -> None:
    world.env.inject_error("POST", "/interactions/*/callback", status=404, code=10062)
    await world.ann.slash(world.channel, "kanagawa new")
    session = await world.session()
    assert session.record.message == last(world.channel).id
    await world.ben.click(last(world.channel), label="Join")


async def test_an_unforeseen_error_becomes_an_apology_with_a_number_that_the_log_knows(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    message = await lobby(world)
    game = (await world.session()).id

    async def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret of the machine")

    monkeypatch.setattr(world.client.table, "join", broken)
    result = await world.ben.click(message, label="Join")
    assert result.ephemeral
    assert "secret" not in answer(result).content
    incident = answer(result).content.split("incident ")[1][:8]
    [record] = [one for one in caplog.records if incident in one.message]
    assert record.message.startswith(f"game={game} version=-1 channel={world.channel.id} incident=")
    caplog.clear()


# Help and rules ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("book", BOOKS)
async def test_every_page_of_help_and_rules_is_private_and_can_be_turned_to(world: World, book: str) -> None:
    opened = await world.ann.slash(world.channel, f"kanagawa {book}")
    assert opened.ephemeral
    pages = len(BOOKS[book])
    seen = {answer(opened).content}
    for _ in range(1, pages):
        await world.ann.click(answer(opened), label="Next ▶")
        seen.add(answer(opened).content)
    assert len(seen) == pages
    await world.ann.select(answer(opened), ["0"], custom_id=f"kgguide:{book}:list")
    assert f"Page 1 of {pages}" in answer(opened).content
    await world.restart()
    await world.ann.click(answer(opened), label="Next ▶")
    await world.ann.click(answer(opened), label="◀ Back")
    await world.ann.click(answer(opened), label="Next ▶")
    assert f"Page 2 of {pages}" in answer(opened).content


async def test_a_name_can_neither_ping_nor_format(world: World) -> None:
    rude = world.guild.add_member(world.env.create_user("rude", global_name="@everyone **<@1>**"))
    await rude.slash(world.channel, "kanagawa new")
    message = last(world.channel)
    assert r"\*\*\<@1\>\*\*" in text_of(await shown(world, message))
    assert not message.mentions
    assert not message.mention_everyone


async def test_a_command_that_this_version_does_not_have_is_answered(world: World) -> None:
    world.client.tree.remove_command("kanagawa")
    result = await world.ann.slash(world.channel, "kanagawa new")
    assert "This command has changed" in answer(result).content
    assert [type(one).__name__ for one in world.env.errors] == ["CommandNotFound"]


# Taking somebody out -----------------------------------------------------------------------------------


async def test_the_host_takes_somebody_out_who_is_told_and_does_not_come_back(world: World) -> None:
    message = await lobby(world)
    for one in (world.ben, world.cleo):
        await one.click(message, label="Join")
    session = await world.session()
    asked = await world.ann.click(message, label="Take somebody out")
    assert asked.response
    assert asked.response.ephemeral
    (select,) = controls(asked.response.components)
    assert [one["label"] for one in select["options"]] == ["2. ben", "3. cleo"]
    await world.ann.select(asked.response, [str(world.ben.id)])
    told = last(world.channel).content
    assert world.ben.mention in told
    assert world.cleo.mention not in told
    assert "ben" not in text_of(await shown(world, message))
    for _ in range(2):
        refused = await world.ben.click(message, label="Join")
        assert "taken you out of this lobby" in said(refused)
        await world.restart()
    await world.ann.click(message, label="Start")
    await world.client.table.concede(session.id, world.cleo.id)
    await world.client.publisher.publish(session.id)
    buttons = buttons_of((await world.table_message(session.id))["components"])
    label = next(one for one in buttons if one.startswith("Take over"))
    refused = await world.ben.click(await table_of(world, session.id), label=label)
    assert "taken you out of this lobby" in said(refused)
    assert [one.name for one in (await world.session()).seats if not one.apprentice] == ["ann"]


async def test_nobody_but_the_host_takes_anybody_out_and_never_themselves(world: World) -> None:
    message = await lobby(world)
    assert "Take somebody out" not in buttons_of(await shown(world, message)), "there is nobody else"
    for one in (world.ben, world.cleo):
        await one.click(message, label="Join")
    session = await world.session()
    asked = await world.ann.click(message, label="Take somebody out")
    assert asked.response
    for person in (world.ben, world.dan):
        assert "Only the host" in said(await person.click(message, label="Take somebody out"))
        with pytest.raises(NotHost):
            await world.client.table.take_out(session.id, person.id, world.cleo.id)
    for nobody in (world.ann.id, world.dan.id, 0):
        with pytest.raises(NotSeated):
            await world.client.table.take_out(session.id, world.ann.id, nobody)
    await world.ann.click(message, label="Leave")
    refused = await world.ann.select(asked.response, [str(world.cleo.id)])
    assert "Only the host" in said(refused), "who is another by now"
    assert [one.name for one in (await world.session()).seats] == ["ben", "cleo"]


async def test_an_old_list_takes_nobody_out_of_a_game_that_has_started(world: World) -> None:
    message = await lobby(world)
    for one in (world.ben, world.cleo):
        await one.click(message, label="Join")
    asked = await world.ann.click(message, label="Take somebody out")
    assert asked.response
    await world.ann.click(message, label="Start")
    result = await world.ann.select(asked.response, [str(world.ben.id)])
    assert "started already" in said(result)
    assert len((await world.session()).seats) == 3


async def test_who_was_taken_out_comes_back_neither_forgotten_nor_forgiven(world: World) -> None:
    message = await lobby(world)
    await world.ben.click(message, label="Join")
    session = await world.session()
    await world.client.table.take_out(session.id, world.ann.id, world.ben.id)
    await world.client.table.forget(world.ben.id)
    assert "taken you out" in said(await world.ben.click(message, label="Join"))
    assert str(world.ben.id) not in str((await world.session()).record)


async def test_who_was_taken_out_sits_down_for_no_friend_either(world: World) -> None:
    message = await lobby(world)
    for one in (world.ben, world.cleo):
        await one.click(message, label="Join")
    session, table = await world.session(), world.client.table
    await table.take_out(session.id, world.ann.id, world.ben.id)
    await world.ann.click(message, label="Start")
    await table.ask_friend(session.id, world.cleo.id, world.ben.id)
    for _ in range(2):
        with pytest.raises(TakenOut):
            await table.answer_friend(session.id, world.cleo.id, Seat(world.ben.id, "ben"), True)
    assert (await world.session()).seat_of(world.ben.id) is None
