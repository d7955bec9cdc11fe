"""Orders ahead, taking back by consent, friends, playing again, the table at the bottom."""

from __future__ import annotations

from typing import Any

import pytest
import simcord

from table.pace import DAY, HOUR
from table.table import Session
from tests.discord.conftest import World, answer, buttons_of, files_shown, last, text_of
from tests.discord.table_talk import (
    advice,
    controls,
    emit_press,
    open_table,
    person_to_move,
    play_out,
    press_raw,
    said,
    table_of,
)


def by_seat(world: World, session: Session, seat: int) -> simcord.MemberActor:
    return next(one for one in world.people if one.id == session.seats[seat].user)


async def bench_of(world: World, person: simcord.MemberActor, game: int) -> simcord.ResponseMessage:
    return answer(await person.click(await table_of(world, game), label="My table"))


async def order(world: World, person: simcord.MemberActor, game: int, *codes: str) -> str:
    bench, result = await bench_of(world, person, game), None
    for code in codes:
        select = next(one for one in controls(bench.components) if one["custom_id"].endswith("?pick.order"))
        value = next(one["value"] for one in select["options"] if one["value"].endswith(f".{code}"))
        result = await person.select(bench, [value], custom_id=select["custom_id"])
        bench = answer(result)
    return text_of(bench.components)


async def test_an_order_runs_as_soon_as_it_is_the_players_turn_and_the_table_says_so(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover, seat = person_to_move(world, session), session.to_move
    waiting = by_seat(world, session, 1 - (seat or 0))
    before = await world.table_message(session.id)
    assert "Your order" in await order(world, waiting, session.id, "take.1", "stay")
    after = await world.table_message(session.id)
    assert before["components"] == after["components"], "nobody else can tell"
    await world.restart()
    await mover.click(await table_of(world, session.id), label="Stay")
    session = await world.session()
    assert session.line[-1].action == "take.1"
    assert session.line[-1].maker == "order"
    assert "as ordered ahead" in text_of((await world.table_message(session.id))["components"])
    assert "as ordered ahead" in said(await mover.slash(world.channel, "kanagawa log"))
    assert session.to_move == 1 - (seat or 0)


async def test_what_is_gone_gives_way_to_the_next_choice_else_the_player_is_asked(world: World) -> None:
    for codes, done in ((("take.1", "stay"), "stay"), (("take.1",), None)):
        session = await open_table(world, world.ann, world.ben)
        mover, seat = person_to_move(world, session), session.to_move
        assert seat is not None
        await order(world, by_seat(world, session, 1 - seat), session.id, *codes)
        await mover.click(await table_of(world, session.id), label="Take 1")
        session = await world.session()
        while session.to_move == seat:
            await world.client.table.act(session.id, mover.id, session.version, advice(session))
            session = await world.session()
        newest = [one for one in session.line if one.maker == "order"]
        assert [one.action for one in newest] == ([done] if done else [])
        assert not session.orders
        await world.client.table.cancel(session.id, 0, moderator=True)


async def test_an_order_lapses_when_another_row_is_dealt_and_can_be_withdrawn(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo)
    seats = [(session.to_move or 0) + step for step in range(3)]
    people = [by_seat(world, session, seat % 3) for seat in seats]
    await order(world, people[2], session.id, "stay")
    bench = await bench_of(world, people[2], session.id)
    result = await people[2].click(bench, label="Withdraw the order")
    assert "Withdrawn" in text_of(answer(result).components)
    assert not (await world.session()).orders
    old = await bench_of(world, people[2], session.id)
    for person in people[:2]:
        await person.click(await table_of(world, session.id), label="Stay")
    await people[2].click(await table_of(world, session.id), label="Stay")
    assert (await world.session()).state.row == 2
    select = next(one for one in controls(old.components) if one["custom_id"].endswith("?pick.order"))
    refused = await people[2].select(old, [select["options"][-1]["value"]], custom_id=select["custom_id"])
    assert "cannot be ordered any more" in said(refused)


async def ask_back(world: World, session: Session) -> tuple[simcord.MemberActor, simcord.MemberActor, Any]:
    """Whoever is to move stays and asks to take that back: they, the other, and the question."""
    mover, seat = person_to_move(world, session), session.to_move
    await mover.click(await table_of(world, session.id), label="Stay")
    bench = await bench_of(world, mover, session.id)
    await mover.click(bench, label="Ask to take it back")
    return mover, by_seat(world, session, 1 - (seat or 0)), last(world.channel)


async def test_a_turn_is_taken_back_when_the_others_allow_it(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover, other, question = await ask_back(world, session)
    assert other.mention in question.content
    refused = await world.cleo.click(question, label="Allow")
    assert "do not sit" in said(refused)
    assert "somebody else" in said(await mover.click(question, label="Allow"))
    assert (await world.session()).version == 1
    session_2 = await world.session()
    assert session_2.record.asks


async def test_the_workbench_says_which_step_is_taken_back_alone_and_which_is_asked_back(
    world: World,
) -> None:
    session = await open_table(world, world.ann, world.ben)
    for _ in range(2):  # column 2 has a card face down in the second row
        await person_to_move(world, session).click(await table_of(world, session.id), label="Stay")
        session = await world.session()
    mover = person_to_move(world, session)
    await mover.click(await table_of(world, session.id), label="Take 2")
    bench = await bench_of(world, mover, session.id)
    assert not {"Undo", "Ask to take it back"} & buttons_of(bench.components).keys(), "it was face down"
    state = (await world.session()).state
    assert "nothing to take back" in said(await mover.slash(world.channel, "kanagawa undo"))
    (secret,) = state.players[state.to_move].secret
    (known,) = {*state.players[state.to_move].hand} - {secret}
    for card, offered, refused in (
        (known, "Undo", "Ask to take it back"),
        (secret, "Ask to take it back", "Undo"),
    ):
        session = await world.session()
        await world.client.table.act(session.id, mover.id, session.version, f"studio.{card}")
        bench = await bench_of(world, mover, session.id)
        assert offered in buttons_of(bench.components)
        assert refused not in buttons_of(bench.components)
        assert ("You can ask them" in text_of(bench.components)) == (card == secret)
        if card == known:
            await mover.click(bench, label="Undo")
    assert "They have to allow it" in said(await mover.slash(world.channel, "kanagawa undo"))


async def test_the_same_question_is_asked_and_mentions_people_once(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover, other, question = await ask_back(world, session)
    bench = await bench_of(world, mover, session.id)
    assert "waits to be answered" in said(await mover.click(bench, label="Ask to take it back"))
    for told in ("I have asked in the channel", "waits to be answered"):
        assert told in said(await mover.slash(world.channel, "kanagawa concede", friend=world.cleo))
    asked = [one.content for one in world.channel.history() if "**" in one.content]
    assert len(asked) == 2
    await other.click(question, label="Refuse")
    assert "I have asked" in said(await mover.click(bench, label="Ask to take it back"))


async def test_a_question_keeps_its_buttons_until_who_was_asked_has_answered(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover, other, question = await ask_back(world, session)
    assert "somebody else" in said(await mover.click(question, label="Allow"))
    assert "Allow" in buttons_of((await world.message(world.channel.id, question.id))["components"])
    await other.click(question, label="Allow")
    assert (await world.session()).state == session.state
    await world.ben.slash(world.channel, "kanagawa concede", friend=world.cleo)
    question = last(world.channel)
    assert "somebody else" in said(await world.ann.click(question, label="No"))
    await world.cleo.click(question, label="Sit down")
    assert {one.name for one in (await world.session()).seats} == {"ann", "cleo"}


async def test_a_question_that_cannot_be_posted_can_be_asked_again(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover = person_to_move(world, session)
    await mover.click(await table_of(world, session.id), label="Stay")
    bench = await bench_of(world, mover, session.id)
    for told in ("would not let me post", "I have asked"):
        if told != "I have asked":
            world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=2)
        friend = await mover.slash(world.channel, "kanagawa concede", friend=world.cleo)
        assert told in said(friend)
        assert told in said(await mover.click(bench, label="Ask to take it back"))
    assert "asks to take back" in last(world.channel).content


async def test_consent_survives_a_restart_and_gives_the_turn_back(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    _, other, question = await ask_back(world, session)
    await world.restart()
    await other.click(question, label="Allow")
    after = await world.session()
    assert after.to_move == session.to_move
    assert after.state == session.state
    assert after.line == (after.line[0],)
    assert "taken back" in (await world.message(world.channel.id, question.id))["content"]


async def test_a_refusal_settles_it_and_a_revealed_row_as_well(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    _, other, question = await ask_back(world, session)
    await other.click(question, label="Refuse")
    assert "does not want" in (await world.message(world.channel.id, question.id))["content"]
    assert (await world.session()).version == 1
    await world.client.table.ask_undo(session.id, session.seats[session.to_move or 0].user, 1)
    await other.click(await table_of(world, session.id), label="Stay")
    assert (await world.session()).state.row == 2
    result = await other.click(await table_of(world, session.id), label="My table")
    assert "Ask to take it back" not in buttons_of(answer(result).components)


async def test_of_two_answers_at_once_the_first_stands_in_the_question(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo)
    mover, other, question = await ask_back(world, session)
    third = next(one for one in (world.ann, world.ben, world.cleo) if one.id not in (mover.id, other.id))
    raw = await world.message(world.channel.id, question.id)
    allow = next(one["custom_id"] for one in controls(raw["components"]) if ":?allow" in one["custom_id"])
    await other.click(question, label="Refuse")
    assert "can no longer be" in said(await press_raw(world, third, raw, allow))
    content = (await world.message(world.channel.id, question.id))["content"]
    assert "does not want that taken back" in content


async def test_who_answers_an_old_question_has_not_answered_the_next_one(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover, other, old = await ask_back(world, session)
    raw = await world.message(world.channel.id, old.id)
    allow = next(one["custom_id"] for one in controls(raw["components"]) if ":?allow" in one["custom_id"])
    await other.click(await table_of(world, session.id), label="Stay")  # deals the next row
    second, _, question = await ask_back(world, await world.session())
    assert second is mover
    before = await world.session()
    shown = await world.message(world.channel.id, old.id)
    assert "has passed" in shown["content"]
    assert not buttons_of(shown["components"])
    assert "can no longer be" in said(await press_raw(world, other, raw, allow))
    assert (await world.session()).state == before.state
    await other.click(question, label="Allow")
    assert (await world.session()).version == before.version + 1


async def test_a_friend_sits_down_who_was_asked_and_nobody_else(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    await world.ben.slash(world.channel, "kanagawa concede", friend=world.cleo)
    question = last(world.channel)
    assert world.cleo.mention in question.content
    assert "somebody else" in said(await world.dan.click(question, label="Sit down"))
    await world.cleo.click(question, label="Sit down")
    session = await world.session()
    assert {one.name for one in session.seats} == {"ann", "cleo"}
    assert "cleo" in text_of((await world.table_message(session.id))["components"])
    assert world.client.table.ordered(session, 0) == ()


async def test_who_sits_down_in_the_middle_of_a_turn_is_told_of_it_in_the_others_place(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    mover = person_to_move(world, session)
    await mover.click(await table_of(world, session.id), label="Take 1")
    await mover.slash(world.channel, "kanagawa concede", friend=world.cleo)
    await world.cleo.click(last(world.channel), label="Sit down")
    after = await world.session()
    assert person_to_move(world, after) is world.cleo
    assert after.deadline == session.deadline
    (notice,) = [one.content for one in world.channel.history() if "it is your turn" in one.content]
    assert world.cleo.mention in notice


@pytest.mark.usefixtures("files_in_components")
async def test_what_a_private_table_shows_already_is_sent_again_only_where_it_cannot_be_kept(
    world: World,
) -> None:
    session = await open_table(world, world.ann, world.ben)
    waiting = by_seat(world, session, 1 - (session.to_move or 0))
    for refuses in (False, True):
        bench = await bench_of(world, waiting, session.id)
        before = files_shown(bench.components)
        select = next(one for one in controls(bench.components) if one["custom_id"].endswith("?pick.order"))
        if refuses:
            world.env.inject_error("PATCH", "/webhooks/*", status=400, code=50035, times=1)
        result = await waiting.select(bench, [select["options"][-1]["value"]], custom_id=select["custom_id"])
        after = files_shown(answer(result).components)
        assert len(before) == 1
        assert before.keys() == after.keys()
        assert (before != after) == refuses


@pytest.mark.usefixtures("files_in_components")
async def test_a_table_buried_by_chat_or_a_day_old_is_posted_anew_without_its_old_buttons(
    world: World,
) -> None:
    session = await open_table(world, world.ann, world.ben)
    first = session.record.message
    assert first is not None
    for number in range(21):
        await world.dan.send(world.channel, f"chat {number}")
    await person_to_move(world, session).click(await table_of(world, session.id), label="Stay")
    session = await world.session()
    assert session.record.message != first
    old = await world.message(world.channel.id, first)
    assert not buttons_of(old["components"])
    assert "is to choose" in text_of(old["components"])
    assert len(files_shown(old["components"])) == 2
    second = session.record.message
    await world.env.advance_time(DAY + 1)
    await person_to_move(world, session).click(await table_of(world, session.id), label="Stay")
    assert (await world.session()).record.message != second


async def test_who_has_a_seat_is_no_friend_to_sit_down(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    for friend in (world.ben, world.ann):
        refused = said(await world.ann.slash(world.channel, "kanagawa concede", friend=friend))
        assert "They have a seat at this table" in refused
    assert not (await world.client.table.get(session.id)).record.asks


async def test_who_left_is_not_put_into_the_next_game(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo)
    await world.client.table.concede(session.id, world.cleo.id)
    await play_out(world, await world.session())
    await world.ben.click(await table_of(world, session.id), label="Play again")
    assert f"<@{world.ann.id}>" in last(world.channel).content
    assert f"<@{world.cleo.id}>" not in last(world.channel).content, "who left has left"
    assert [one.name for one in (await world.session()).seats] == ["ben"]


async def test_an_old_table_is_posted_anew_where_it_is_played_at_quickly(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    shown: list[int | None] = []
    for pause in (HOUR + 1, 30, 5, 5, 5, 5):
        await world.env.advance_time(pause)
        person = person_to_move(world, session)
        await world.client.table.act(session.id, person.id, session.version, advice(session))
        await world.client.publisher.publish(session.id)
        session = await world.session()
        shown.append(session.record.message)
    first, second = shown[0], shown[-1]
    assert shown == [first, first, first, first, second, second]
    assert first != second
    # Nothing was said in between, so the older one would only be in the way.
    assert first not in {one.id for one in world.channel.history()}


async def over(world: World, *people: Any) -> Any:
    """The message of a game of these people that is over."""
    session = await play_out(world, await open_table(world, *people))
    return session, await table_of(world, session.id)


async def test_play_again_invites_and_seats_nobody_who_has_not_pressed(world: World) -> None:
    session, final = await over(world, world.ann, world.ben, world.cleo)
    await world.ben.click(final, label="Play again")
    lobby = await world.session()
    assert lobby.is_lobby
    assert [one.name for one in lobby.seats] == ["ben"]
    assert lobby.record.host == world.ben.id
    assert lobby.record.options == session.record.options
    invited = last(world.channel).content
    assert all(f"<@{one.id}>" in invited for one in (world.ann, world.cleo))
    assert f"<@{world.ben.id}>" not in invited
    joined = await world.ann.click(final, label="Play again")
    assert "You sit at the new table" in said(joined)
    assert (await world.session()).id == lobby.id, "another lobby never opens beside it"
    assert [one.name for one in (await world.session()).seats] == ["ben", "ann"]
    text = text_of((await world.table_message(lobby.id))["components"])
    assert "**ben**" in text
    assert "**ann**" in text
    assert "sit at this table already" in said(await world.ann.click(final, label="Play again"))
    assert "do not sit at this table" in said(await world.dan.click(final, label="Play again"))


async def test_two_people_who_press_play_again_at_once_sit_in_one_lobby(world: World) -> None:
    session, final = await over(world, world.ann, world.ben)
    raw = await world.message(world.channel.id, final.id)
    custom = f"kg:{session.id}:{session.version}:?again"
    for one in (world.ann, world.ben):
        emit_press(world, one, raw, custom)
    await world.env.settle()
    assert sorted(one.name for one in (await world.session()).seats) == ["ann", "ben"]
    shown = [await world.message(world.channel.id, one.id) for one in world.channel.history()]
    posted = [one for one in shown if "Join" in buttons_of(one["components"])]
    assert len(posted) == 1


async def test_play_again_ends_once_it_has_led_to_a_game_and_a_day_after_the_end(world: World) -> None:
    _, final = await over(world, world.ann, world.ben)
    await world.ann.click(final, label="Play again")
    await world.ben.click(final, label="Play again")
    lobby = await world.session()
    await world.restart()
    await world.ann.click(await table_of(world, lobby.id), label="Start")
    refused = said(await world.ben.click(final, label="Play again"))
    assert "has been played again already" in refused
    await world.client.table.cancel(lobby.id, 0, moderator=True)
    assert "has been played again already" in said(await world.ben.click(final, label="Play again"))
    _, final = await over(world, world.ann, world.ben)
    await world.env.advance_time(DAY)
    assert "more than a day ago" in said(await world.ann.click(final, label="Play again"))


async def test_a_lobby_that_was_cancelled_can_be_opened_again_and_invites_nobody_twice(world: World) -> None:
    _, final = await over(world, world.ann, world.ben)
    for _ in range(2):
        await world.ann.click(final, label="Play again")
        await world.client.table.cancel((await world.session()).id, world.ann.id)
    asked = [one for one in world.channel.history() if "would like to play again" in one.content]
    assert len(asked) == 1


async def test_a_lobby_of_playing_again_that_cannot_be_posted_is_told_of(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    table = world.client.table
    while not session.finished:
        user = session.seats[session.to_move or 0].user
        session = await table.act(session.id, user, session.version, advice(session))
    await world.client.publisher.publish(session.id)
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013)
    result = await world.ben.click(await table_of(world, session.id), label="Play again")
    assert "`/kanagawa table` shows it" in said(result)
    await world.ben.slash(world.channel, "kanagawa table")
    assert "Start" in buttons_of(
        (await world.message(world.channel.id, last(world.channel).id))["components"]
    )
