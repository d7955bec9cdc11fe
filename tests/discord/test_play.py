"""What a click or a command does, and what is answered to the ones that cannot be done."""

from __future__ import annotations

from typing import Any

import pytest
import simcord

from cogs.texts import CRESTS, Words
from table.errors import DatabaseUnusable
from table.store import Turn
from table.table import Session
from tests.discord.conftest import World, answer, buttons_of, text_of
from tests.discord.table_talk import (
    Hands,
    advice,
    controls,
    emit_press,
    open_solo,
    open_table,
    person_to_move,
    press_raw,
    said,
    table_of,
    type_it,
)

#: Column 1 begins with a card that makes a second place for a Brush, and meets no Diploma.
SEED = 9


@pytest.fixture
async def session(world: World) -> Session:
    """A game of ann, ben and cleo whose first player is to choose."""
    return await open_table(world, world.ann, world.ben, world.cleo, seed=SEED)


def next_person(world: World, session: Session):
    """Somebody at the table who is not to act."""
    assert session.to_move is not None
    user = session.seats[(session.to_move + 1) % 3].user
    return next(one for one in world.people if one.id == user)


# Who may click ---------------------------------------------------------------------------------------


async def test_a_click_out_of_turn_is_answered_and_changes_nothing(world: World, session: Session) -> None:
    other = next_person(world, session)
    result = await other.click(await table_of(world, session.id), label="Take 1")
    assert "another player's turn" in said(result)
    assert (await world.session()).version == session.version


async def test_a_stranger_is_told_that_watching_is_welcome(world: World, session: Session) -> None:
    message = await table_of(world, session.id)
    for label in ("Take 1", "My table"):
        assert "do not sit at this table" in said(await world.dan.click(message, label=label))
    assert "do not sit" in said(await world.dan.slash(world.channel, "kanagawa hand"))
    assert (await world.session()).version == session.version


async def test_commands_out_of_turn_or_without_a_game_are_answered(world: World, session: Session) -> None:
    other = next_person(world, session)
    for command, options in (
        ("stay", {}),
        ("take", {"column": "1"}),
        ("studio", {"card": "x"}),
        ("done", {}),
    ):
        assert "another player's turn" in said(
            await other.slash(world.channel, f"kanagawa {command}", **options)
        )
    elsewhere = world.guild.create_text_channel("elsewhere")
    for command in ("table", "hand", "look", "score", "stay", "done", "undo", "concede"):
        assert "no game in this channel" in said(await other.slash(elsewhere, f"kanagawa {command}"))


async def test_a_lobby_cannot_be_played(world: World) -> None:
    await world.ann.slash(world.channel, "kanagawa new")
    for command in ("hand", "look", "score", "stay", "done", "undo", "concede"):
        assert "not started" in said(await world.ann.slash(world.channel, f"kanagawa {command}"))


# Old, doubled and forged buttons ---------------------------------------------------------------------


async def test_of_two_clicks_at_once_one_counts_and_the_other_hears_it(
    world: World, session: Session
) -> None:
    person, raw = person_to_move(world, session), await world.table_message(session.id)
    first = emit_press(world, person, raw, f"kg:{session.id}:0:take.1")
    second = emit_press(world, person, raw, f"kg:{session.id}:0:take.2")
    await world.env.settle()
    told = [said(simcord.InteractionResult(world.env, one)) for one in (first, second)]
    assert (await world.session()).version == 1
    assert sum("moved on" in one for one in told) == 1


async def test_an_old_button_is_answered_and_changes_nothing(world: World, session: Session) -> None:
    raw = await world.table_message(session.id)
    person = person_to_move(world, session)
    await person.click(await table_of(world, session.id), label="Take 1")
    result = await press_raw(world, person, raw, f"kg:{session.id}:0:take.2")
    assert "The table has moved on" in said(result)
    assert (await world.session()).version == 1


async def test_of_many_clicks_at_once_no_version_is_made_twice(world: World, session: Session) -> None:
    person, raw = person_to_move(world, session), await world.table_message(session.id)
    for _ in range(15):
        for code in ("take.1", "take.2", "stay"):
            emit_press(world, person, raw, f"kg:{session.id}:0:{code}")
    await world.env.settle()
    after = await world.session()
    assert (after.version, len(after.line)) == (1, 2)


async def test_an_old_workbench_shows_the_newest_table_and_says_why(world: World, session: Session) -> None:
    person = person_to_move(world, session)
    hands = Hands(world, person, session.id)
    await hands.do("take.1")
    old = await person.click(await table_of(world, session.id), label="My table")
    card = (await world.session()).view(person.id).players[session.to_move].hand[0]
    await hands.do(f"studio.{card}")
    assert old.response is not None
    result = await person.click(old.response, label="Undo")
    assert result.response is not None
    shown = text_of(result.response.components)
    assert "The table had moved on" in shown
    assert "Undo" in buttons_of(result.response.components), "the step of the other workbench stands"
    assert (await world.session()).version == 2


@pytest.mark.parametrize(
    "code",
    ["kg:", "kg:x:y:stay", *("kg:{game}:0:" + code for code in ("", "?nothing", "?pick.paint", "?" * 70))],
)
async def test_a_button_that_says_nothing_known_is_answered(
    world: World, session: Session, code: str
) -> None:
    code = code.format(game=session.id)
    raw = await forged(world, session, code)
    result = await press_raw(world, person_to_move(world, session), raw, code)
    assert "another version of me" in said(result)


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("kg:999:0:stay", "no game"),
        ("kg:999:0:?table", "no game"),
        ("kg:{game}:0:fly.me", "cannot make sense"),
        ("kg:{game}:0:done", "do not allow"),
        ("kg:{game}:0:take.9", "cannot make sense"),
        ("kg:{game}:0:take.4", "do not allow"),
        ("kg:{game}:0:?undo", "nothing to take back"),
        ("kg:{game}:99999:stay", "moved on"),
    ],
)
async def test_a_forged_button_is_refused_in_words(
    world: World, session: Session, code: str, told: str
) -> None:
    code = code.format(game=session.id)
    raw = await forged(world, session, code)
    result = await press_raw(world, person_to_move(world, session), raw, code)
    assert told in said(result)
    assert (await world.session()).version == 0


# When the database fails -----------------------------------------------------------------------------


async def broken(*args: Any, **named: Any) -> Any:
    raise DatabaseUnusable("the disk is full")


async def test_a_move_that_is_not_saved_is_said_not_to_have_happened(
    world: World, session: Session, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(world.store, "save", broken)
    result = await person_to_move(world, session).click(await table_of(world, session.id), label="Take 1")
    assert "it has not happened" in said(result)
    assert (await world.session()).version == 0
    assert f"game={session.id} " in caplog.text
    caplog.clear()


@pytest.mark.parametrize("method", ["update", "state"])
async def test_a_move_that_is_saved_is_never_said_not_to_have_happened(
    world: World,
    session: Session,
    method: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """What fails is what comes after it: showing the person their table, and everybody theirs."""
    with monkeypatch.context() as patch:
        patch.setattr(world.store, method, broken)
        result = await person_to_move(world, session).click(await table_of(world, session.id), label="Take 1")
    assert (await world.session()).version == 1
    assert "not happened" not in said(result)
    caplog.clear()


async def test_of_a_choice_that_is_saved_in_part_the_person_hears_that_it_may_have_counted(
    world: World, session: Session, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    save = world.store.save

    async def once(game: int, turn: Turn, state: bytes) -> None:
        await (broken() if turn.version > 1 else save(game, turn, state))

    monkeypatch.setattr(world.store, "save", once)
    code = f"kg:{session.id}:0:take.1,studio.{session.state.columns[0][0]}"
    result = await press_raw(world, person_to_move(world, session), await forged(world, session, code), code)
    assert (await world.session()).version == 1
    assert "may have counted" in said(result)
    caplog.clear()


async def forged(world: World, session: Session, custom_id: str):
    """The table's message with another custom ID in its first button."""
    raw = await world.table_message(session.id)
    next(controls(raw["components"]))["custom_id"] = custom_id
    return raw


async def test_buttons_from_before_a_restart_work(world: World, session: Session) -> None:
    person = person_to_move(world, session)
    hands = Hands(world, person, session.id)
    await hands.do("take.1")
    await world.restart()
    card = (await world.session()).view(person.id).players[session.to_move].hand[0]
    await hands.do(f"studio.{card}")
    await hands.do("done")
    assert (await world.session()).version == 3
    after = await world.session()
    await person_to_move(world, after).click(await table_of(world, session.id), label="My table")
    assert "Take 2" in buttons_of((await world.table_message(session.id))["components"])


# The workbench ---------------------------------------------------------------------------------------


async def test_taking_a_column_opens_the_workbench_and_done_closes_the_turn(
    world: World, session: Session
) -> None:
    person = person_to_move(world, session)
    hands = Hands(world, person, session.id)
    await hands.do("take.1")
    assert hands.bench is not None
    shown = text_of(hands.bench.components)
    assert "takes column 1" in shown
    assert "Your turn" in shown
    assert buttons_of(hands.bench.components)["Done"]["disabled"]
    card = (await world.session()).view(person.id).players[session.to_move].hand[0]
    await hands.do(f"studio.{card}")
    assert "into the Studio" in hands.read[-1]
    await hands.do("done")
    assert "Waiting for" in hands.read[-1], "the workbench says who comes next"


async def test_undo_takes_a_step_back(world: World, session: Session) -> None:
    person = person_to_move(world, session)
    hands = Hands(world, person, session.id)
    await hands.do("take.1")
    before = (await world.session()).state
    await hands.do(f"studio.{before.players[session.to_move].hand[0]}")
    await hands.do("?undo")
    assert "Taken back" in hands.read[-1]
    after = await world.session()
    assert (after.state, after.version) == (before, 3)
    assert "Taken back" in said(await person.slash(world.channel, "kanagawa undo"))
    assert (await world.session()).state == session.state
    assert "nothing to take back" in said(await person.slash(world.channel, "kanagawa undo"))


async def test_done_with_too_many_cards_says_what_is_missing(world: World, session: Session) -> None:
    person = person_to_move(world, session)
    await type_it(world, person, "take.1")
    assert "Place every card" in said(await person.slash(world.channel, "kanagawa done"))


async def test_my_table_serves_those_who_wait(world: World, session: Session) -> None:
    other = next_person(world, session)
    result = await other.click(await table_of(world, session.id), label="My table")
    assert result.response is not None
    assert result.response.ephemeral
    assert "You choose next" in text_of(result.response.components)
    assert list(buttons_of(result.response.components)) == ["Pause the game", "Diplomas", "Refresh"]
    diplomas = await other.click(result.response, label="Diplomas")
    assert diplomas.response is not None
    assert [one.filename.split("-")[0] for one in diplomas.response.attachments] == ["diplomas"]
    back = await other.click(diplomas.response, label="Back")
    assert back.response is not None
    assert [one.filename.split("-")[0] for one in back.response.attachments] == ["panel"]


async def test_an_offered_diploma_is_a_question(world: World) -> None:
    session = await open_table(world, world.ann, world.ben, world.cleo, seed=1)
    hands = {one.id: Hands(world, one, session.id) for one in world.people}
    while not session.state.offered:
        await hands[person_to_move(world, session).id].do(advice(session))
        session = await world.session()
    person = person_to_move(world, session)
    bench = hands[person.id].bench
    assert bench is not None
    assert "Declining is for good" in text_of(bench.components)
    labels = list(buttons_of(bench.components))
    assert any(label.startswith("Take ") for label in labels)
    assert any(label.startswith("Decline ") for label in labels)
    assert "Done" not in labels
    assert "First decide" in said(await person.slash(world.channel, "kanagawa done"))
    assert "has earned a Diploma" in text_of((await world.table_message(session.id))["components"])
    suggested = await person.autocomplete(world.channel, "kanagawa diploma", "choice", "decline")
    assert suggested
    await person.slash(world.channel, "kanagawa diploma", choice=suggested[0]["value"])
    assert not (await world.session()).state.offered


# Commands --------------------------------------------------------------------------------------------


async def test_a_typed_word_is_enough_where_it_means_one_thing(world: World, session: Session) -> None:
    person = person_to_move(world, session)
    await person.slash(world.channel, "kanagawa take", column="1")
    await person.slash(world.channel, "kanagawa studio", card="studio")
    assert (await world.session()).version == 2
    assert "could mean several" in said(await person.slash(world.channel, "kanagawa brush", move="brush"))
    assert (await world.session()).version == 2
    assert "not possible now" in said(await person.slash(world.channel, "kanagawa brush", move="to the moon"))


async def test_a_number_typed_is_that_of_the_card_at_the_workbench(world: World) -> None:
    """The workbench says "1 · a castle": 1 puts that card into the Studio, whatever codes contain."""
    session = await open_table(world, world.ann, world.ben, seed=1)
    done = 0
    while done < 6:
        person = person_to_move(world, session)
        hand = session.view(person.id).players[session.to_move or 0].hand
        if len(hand) > 1:
            number = len(hand)
            shown = text_of(answer(await person.slash(world.channel, "kanagawa hand")).components)
            assert f"**{number} · {Words().card(hand[number - 1])}**" in shown
            await person.slash(world.channel, "kanagawa studio", card=str(number))
            assert (await world.session()).line[-1].action == f"studio.{hand[number - 1]}"
            done += 1
        else:
            await world.client.table.act(session.id, person.id, session.version, advice(session))
        session = await world.session()


async def test_a_question_which_one_lists_what_differs(world: World, session: Session) -> None:
    person, suggested = person_to_move(world, session), list[dict[str, Any]]()
    while len(suggested) < 2:
        person = person_to_move(world, session)
        session = await world.client.table.act(session.id, person.id, session.version, advice(session))
        person = person_to_move(world, session)
        suggested = await person.autocomplete(world.channel, "kanagawa brush", "move", "")
    asked = said(await person.slash(world.channel, "kanagawa brush", move="brush"))
    for one in suggested:
        assert f"- {one['name']}" in asked
    text = suggested[-1]["name"]
    await person.slash(world.channel, "kanagawa brush", move=text)
    assert (await world.session()).line[-1].action == suggested[-1]["value"]


async def test_two_players_of_one_name_are_asked_about(world: World) -> None:
    twin = world.guild.add_member(world.env.create_user("ann"))
    session = await open_table(world, world.ann, twin, seed=1)
    asked = said(await world.dan.slash(world.channel, "kanagawa look", player="ann"))
    assert asked.strip().endswith("- 1 · 🔴 ann\n- 2 · 🟦 ann")
    for number, name in enumerate(("1 · 🔴 ann", "2 · 🟦 ann"), 1):
        for typed in (str(number), name, f"?seat.{number - 1}"):
            shown = answer(await world.dan.slash(world.channel, "kanagawa look", player=typed))
            assert CRESTS[number - 1] in text_of(shown.components)
    assert session.seats[0].name == session.seats[1].name


async def test_suggestions_are_what_is_legal_and_nothing_for_others(world: World, session: Session) -> None:
    person, other = person_to_move(world, session), next_person(world, session)
    found = await person.autocomplete(world.channel, "kanagawa take", "column", "")
    assert [one["value"] for one in found] == ["take.1", "take.2", "take.3"]
    assert found[0]["name"].startswith("Take 1 · ")
    for who in (other, world.dan):
        assert await who.autocomplete(world.channel, "kanagawa take", "column", "") == []
    names = await world.dan.autocomplete(world.channel, "kanagawa look", "player", "be")
    assert [one["name"].split()[-1] for one in names] == ["ben"]


async def test_look_and_score_are_for_everybody(world: World, session: Session) -> None:
    seat = next(str(n) for n, one in enumerate(session.seats, 1) if one.name == "ben")
    for typed in (seat, "ben"):
        result = await world.dan.slash(world.channel, "kanagawa look", player=typed)
        assert result.response is not None
        assert [one.filename.split("-")[0] for one in result.response.attachments] == ["panel"]
    assert "Say whose picture" in said(await world.dan.slash(world.channel, "kanagawa look"))
    assert "Say whose picture" in said(await world.dan.slash(world.channel, "kanagawa look", player="zoe"))
    told = said(await world.dan.slash(world.channel, "kanagawa score"))
    assert told.count("= Print 1 · Season 1") == 3


async def test_conceding_asks_first_and_the_apprentice_plays_on(world: World, session: Session) -> None:
    person = person_to_move(world, session)
    result = await person.slash(world.channel, "kanagawa concede")
    assert "for good" in said(result)
    assert (await world.session()).seats == session.seats, "nothing happens before the answer"
    assert result.response is not None
    await person.click(result.response, label="Yes, leave the game")
    after = await world.session()
    assert session.to_move is not None
    assert after.seats[session.to_move].apprentice
    assert after.to_move != session.to_move
    assert "do not sit" in said(await person.slash(world.channel, "kanagawa hand"))


async def test_a_game_that_everybody_leaves_ends(world: World) -> None:
    session = await open_solo(world)
    asked = await world.ann.slash(world.channel, "kanagawa concede")
    assert "last person" in said(asked)
    assert asked.response is not None
    await world.ann.click(asked.response, label="Yes, leave the game")
    message = await world.table_message(session.id)
    assert "Everybody has left" in text_of(message["components"])
    assert not list(controls(message["components"]))


async def test_a_game_in_a_direct_message(world: World) -> None:
    user = world.ann.user
    await user.slash("kanagawa solo")
    dm = user.dm_channel
    session = await world.session(dm)
    message = await table_of(world, session.id)
    result = await user.click(message, label="Take 1")
    assert "Your turn" in said(result)
    assert (await world.session(dm)).version == 1
    assert "Taken back" in said(await user.slash("kanagawa undo"))
    assert "at the bottom" in said(await user.slash("kanagawa table"))
    assert (await table_of(world, session.id)).id != message.id


async def test_a_question_in_words_does_not_become_a_table(world: World) -> None:
    session = await open_table(world, world.ann, world.ben)
    question = (await person_to_move(world, session).slash(world.channel, "kanagawa concede")).response
    assert question is not None
    code = f"kg:{session.id}:0:take.1"
    button = {"type": 2, "style": 1, "label": "Take 1", "custom_id": code}
    classic = {"id": str(question.id), "flags": 64, "components": [{"type": 1, "components": [button]}]}
    raw = {**await world.table_message(session.id), **classic}
    result = await press_raw(world, person_to_move(world, session), raw, code)
    assert (await world.session()).version == 1
    assert "Your turn" in said(result)
