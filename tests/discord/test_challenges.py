"""Solo challenges: the same cards for everybody, one try that counts, boards, and what is not told."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from cogs import challenges
from cogs.guard import Refusal
from cogs.texts import Words
from kanagawa.cards import CARDS
from kanagawa.scoring import score
from table.pace import DAY
from table.store import Result, Seat
from table.table import Session
from tests.discord.conftest import World, answer, buttons_of, last, text_of
from tests.discord.table_talk import controls, play_out, press_raw, said, table_of

WORDS = Words("en")


# Names -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "seed"),
    [
        ("Dragon", "word dragon"),
        ("  DRAGON\t ", "word dragon"),
        ("ＤＲＡＧＯＮ", "word dragon"),
        ("straße", "word strasse"),
        ("STRASSE", "word strasse"),
        ("two  words", "word two words"),
        ("\u200bhidden\u202e", "word hidden"),
        ("`code`", "word code"),
        ("day 2026-01-01", "word day 2026-01-01"),
        ("?", "word ?"),
        ("❤\ufe0f", "word ❤"),
        ("👩\u200d🎨", "word 👩🎨"),
        ("dra\u200c\u200dgon\ufe0e", "word dragon"),
        ("dra\u00adgon", "word dragon"),
        ("dra\u034fgon\u2064\U000e0061\U000e0101", "word dragon"),
        ("\u3164dragon\u115f", "word dragon"),
        ("two\u00a0words\u2003\u3000\u2800", "word two words"),
        ("DİSK", "word disk"),
        ("cafe\u0301", "word café"),
        ("don’t", "word don't"),
        ("a\u2010b\u2011c\u2212d", "word a-b-c-d"),
        ("\uff40x\u1fef", "word x"),
        ("Σίσυφος", "word σίσυφοσ"),
    ],
)
def test_a_word_is_the_same_however_it_is_written(typed: str, seed: str) -> None:
    assert challenges.of_word(typed) == seed
    assert challenges.of_word(seed.removeprefix("word ")) == seed


BLANK = [
    "\u3164",
    "\u2800",
    "\u115f\u1160",
    "\uffa0",
    "\u200b\u200d",
    "\ufe0f",
    "\U000e0041",
    "\u202e",
    "\u0301\u0302",
    "\u00ad",
    "\u2003",
]


@pytest.mark.parametrize("typed", ["", " ", "\u200b", "``", "\ud800", *BLANK])
def test_a_word_of_nothing_visible_is_none(typed: str) -> None:
    with pytest.raises(Refusal):
        challenges.of_word(typed)


def test_days_and_weeks_are_those_of_utc_and_of_the_iso_calendar() -> None:
    new_year = 1798761600.0  # 2027-01-01 00:00 UTC, a Friday
    assert challenges.current("day", new_year - 1) == "day 2026-12-31"
    assert challenges.current("day", new_year) == "day 2027-01-01"
    assert challenges.current("week", new_year) == "week 2026-W53"
    assert challenges.former("day", new_year) == "day 2026-12-31"
    assert challenges.former("week", new_year) == "week 2026-W52"
    assert challenges.closes("day 2026-12-31") == new_year
    assert challenges.closes("week 2026-W53") == new_year + 3 * DAY
    assert challenges.closes("word dragon") is None
    assert challenges.closes("day of rest") is None, "what is no day is a word"


@pytest.mark.parametrize(("seed", "limit"), [("day 2026-12-31", DAY), ("week 2026-W53", 3 * DAY)])
def test_a_try_counts_within_its_limit_and_the_cards_open_when_none_can_count(
    seed: str, limit: float
) -> None:
    end = challenges.closes(seed)
    assert end is not None
    began = end - 1
    assert challenges.counts_until(seed, began) == began + limit
    assert challenges.in_time(seed, began, began + limit)
    assert not challenges.in_time(seed, began, began + limit + 1)
    assert not challenges.in_time(seed, end, end), "it begins too late"
    assert challenges.opens(seed) == end + limit
    assert challenges.keeps_secret(seed, end + limit - 1)
    assert not challenges.keeps_secret(seed, end + limit)
    for at in (end, end + limit - 1, end + limit, end + limit + 1):
        alive = any(challenges.in_time(seed, first, at) for first in (end - limit, end - 1, end - 1e-3))
        assert not alive or challenges.keeps_secret(seed, at)


def test_a_word_has_no_limit_and_its_cards_never_open() -> None:
    assert challenges.counts_until("word x", 0.0) is None
    assert challenges.in_time("word x", 0.0, 1e12)
    assert challenges.opens("word x") is None
    assert challenges.keeps_secret("word x", 1e12)
    assert not challenges.keeps_secret(None, 0.0)


def test_a_board_is_ordered_by_points_and_those_of_a_server_may_be_picked() -> None:
    def tried(user: int, points: int, osahito: int) -> Result:
        facts = ({"points": points, "won": points > osahito}, {"points": osahito, "won": False})
        return Result(user, None, float(user), (Seat(user, f"p{user}" if user else ""),), facts)

    best = [tried(2, 41, 40), tried(1, 30, 40), tried(0, 30, 10), tried(4, 9, 90)]
    everybody = challenges.board(WORDS, "day 2026-01-01", best, 4, best[2], everywhere=True).splitlines()
    assert everybody[2:] == [
        "1. **p2** 41 : 40 🏆",
        "2. **p1** 30 : 40",
        "2. **a former player** 30 : 10 🏆",
        "4. **p4** 9 : 90",
    ]
    assert "4 tries that count" in everybody[1]
    assert "All servers" in everybody[1]
    with_own = challenges.board(WORDS, "day 2026-01-01", best, 9, tried(7, 3, 4), everywhere=True)
    assert with_own.splitlines()[-1] == "… **p7** 3 : 4"
    here = challenges.board(WORDS, "word **x**", [], 0, None, everywhere=False)
    assert "this server" in here
    assert r"\*\*x\*\*" in here
    assert "Nobody yet" in here


# In Discord ------------------------------------------------------------------------------------------


async def begin(world: World, person: Any, place: Any = None, **options: str) -> str:
    """Start a solo game in a channel, or in the person's direct messages; what they were told."""
    if place is None:
        return said(await person.user.slash("kanagawa solo", **options))
    return said(await person.slash(place, "kanagawa solo", **options))


async def final_text(world: World, session: Session) -> str:
    return text_of((await world.table_message(session.id))["components"])


async def test_the_same_word_is_the_same_game_for_everyone_and_no_word_another(world: World) -> None:
    decks: list[tuple[str, ...]] = []
    attic = world.guild.create_text_channel("attic")
    for person, place, options in (
        (world.ann, world.channel, {"seed": "Dragon"}),
        (world.ben, attic, {"seed": " dragon "}),
        (world.cleo, world.guild.create_text_channel("c"), {"seed": "crane"}),
        (world.dan, world.guild.create_text_channel("d"), {}),
    ):
        await begin(world, person, place, **options)
        decks.append((await world.session(place)).state.deck)
    assert decks[0] == decks[1]
    assert len(set(decks)) == 3
    assert sorted(decks[0]) == sorted(CARDS)


async def test_one_try_counts_and_who_wants_another_first_ends_it(world: World) -> None:
    told = await begin(world, world.ann, world.channel, challenge="day")
    assert "Challenge of the day 2026-01-01" in told
    assert "try that counts" in told
    assert "see your cards" in told
    session = await world.session()
    attic = world.guild.create_text_channel("attic")
    refused = await begin(world, world.ann, attic, challenge="day")
    assert "You play this already" in refused
    assert f"<#{world.channel.id}>" in refused
    assert not attic.history()
    await world.ann.slash(attic, "kanagawa new")  # the channel is free
    await world.client.table.cancel((await world.session(attic)).id, world.ann.id)
    await play_out(world, session)
    told = await begin(world, world.ann, attic, challenge="day")
    assert "for yourself" in told
    again = await play_out(world, await world.session(attic))
    assert "another try" in await final_text(world, again)
    best = await world.client.table.best_tries("day 2026-01-01", None, 9)
    assert [one.game for one in best] == [session.id]
    assert "one try that counts" in said(await world.ben.slash(attic, "kanagawa stats", show="day"))


async def test_a_try_that_was_given_up_is_used_up(world: World) -> None:
    await begin(world, world.ann, world.channel, challenge="week")
    await world.client.table.concede((await world.session()).id, world.ann.id)
    assert "for yourself" in await begin(world, world.ann, world.channel, challenge="week")


async def test_nobody_sits_down_in_anothers_challenge(world: World) -> None:
    await begin(world, world.ann, world.channel, seed="dragon")
    refused = said(await world.ann.slash(world.channel, "kanagawa concede", friend=world.ben))
    assert "nobody can sit down" in refused
    assert not (await world.session()).record.asks


async def test_the_result_card_tells_points_and_seasons_and_no_card(world: World) -> None:
    await begin(world, world.ann, challenge="day")
    record = (await world.client.table.live())[0]
    session = await play_out(world, await world.client.table.get(record.id))
    lines = [line[2:] for line in (await final_text(world, session)).splitlines() if line.startswith("> ")]
    card = "\n".join(lines)
    own, osahito = (one.total for one in score(session.state))
    assert lines[0] == "Kanagawa · Challenge of the day 2026-01-01"
    assert lines[1].startswith(f"🔴 {own} : {osahito} Osahito")
    signs = [sign for sign in challenges.SIGNS.values() for _ in range(lines[2].count(sign))]
    assert len(signs) == len(session.state.players[0].print) + 1
    assert not any(one in card for one in CARDS)


async def test_who_has_played_a_challenge_shows_their_card_in_any_channel(world: World) -> None:
    await begin(world, world.ann, challenge="day")
    (record,) = await world.client.table.live()
    assert "nothing to show" in said(
        await world.ann.slash(world.channel, "kanagawa stats", show="day", share=True)
    )
    session = await play_out(world, await world.client.table.get(record.id))
    own, osahito = (one.total for one in score(session.state))
    shown = await world.ann.slash(world.channel, "kanagawa stats", show="day", share=True)
    assert not shown.ephemeral
    assert f"{own} : {osahito} Osahito" in last(world.channel).content
    for options in ({"show": "day"}, {"show": "leaderboard"}, {}):
        assert "nothing to show" in said(
            await world.ben.slash(world.channel, "kanagawa stats", share=True, **options)
        )


async def test_while_a_challenge_runs_its_end_shows_no_deck_and_in_a_server_no_picture(world: World) -> None:
    for place in (world.channel, None):
        await begin(world, world.ann if place else world.ben, place, challenge="day")
    for record in await world.client.table.live():
        session = await play_out(world, await world.client.table.get(record.id))
        message = await world.table_message(session.id)
        names = [one["filename"].split("-")[0] for one in message["attachments"]]
        assert names == ([] if session.record.options["guild"] else ["poster", "replay"])
        assert "Play again" in buttons_of(message["components"])
    for command, options in (("poster", {}), ("log", {}), ("look", {"player": "ann", "round": 1})):
        refused = await world.cleo.slash(world.channel, f"kanagawa {command}", **options)
        assert "Others can still try this challenge" in said(refused), command
    log = await world.ann.slash(world.channel, "kanagawa log")
    assert "Page" in answer(log).content, "who has played it knows its cards"
    await world.env.advance_time(2 * DAY)
    shown = await world.cleo.slash(world.channel, "kanagawa poster")
    assert shown.response is not None
    assert [one.filename.split("-")[0] for one in last(world.channel).attachments] == ["poster"]


async def test_playing_again_deals_other_cards(world: World) -> None:
    await begin(world, world.ann, world.channel, seed="x")
    session = await play_out(world, await world.session())
    await world.ann.click(await table_of(world, session.id), label="Play again")
    again = await world.session()
    assert "seed" not in again.record.options
    assert again.state.deck != session.state.deck


async def test_the_board_of_a_server_shows_its_people_and_everywhere_all(world: World) -> None:
    elsewhere = world.env.create_guild("elsewhere")
    there = elsewhere.create_text_channel("there")
    stranger = elsewhere.add_member(world.env.create_user("eve"))
    await world.client.tree.sync()
    await begin(world, world.ann, world.channel, seed="x")
    await play_out(world, await world.session())
    await begin(world, stranger, there, seed="X")
    await play_out(world, await world.session(there))
    board = await world.ben.slash(world.channel, "kanagawa stats", seed="x")
    assert board.ephemeral
    assert "ann" in said(board)
    assert "eve" not in said(board)
    everywhere = said(await world.ben.slash(world.channel, "kanagawa stats", seed="x", everywhere=True))
    assert "ann" in everywhere
    assert "eve" in everywhere
    assert "eve" in said(await world.ann.user.slash("kanagawa stats", seed="x"))
    # Who has played any game in a server is on its boards wherever they tried.
    await begin(world, world.ann, challenge="day")
    (record,) = await world.client.table.live()
    await play_out(world, await world.client.table.get(record.id))
    assert "ann" in said(await world.ben.slash(world.channel, "kanagawa stats", show="day"))
    assert "Nobody yet" in said(await stranger.slash(there, "kanagawa stats", show="day"))


async def test_a_challenge_is_of_its_day_and_its_board_is_shown_the_day_after(
    world: World,
) -> None:
    await begin(world, world.ann, world.channel, challenge="day")
    session = await world.session()
    await world.env.advance_time(DAY)
    await world.restart()
    assert "counts if finished" in said(await world.ann.slash(world.channel, "kanagawa games"))
    session = await play_out(world, await world.client.table.get(session.id))
    assert "Challenge of the day 2026-01-01" in await final_text(world, session)
    assert (await world.table_message(session.id))["attachments"] == [], "others may still play it"
    board = said(await world.ben.slash(world.channel, "kanagawa stats", show="day"))
    today, yesterday = board.index("2026-01-02"), board.index("2026-01-01")
    assert today < board.index("Nobody yet") < yesterday < board.index("ann")
    assert not (await world.ann.slash(world.channel, "kanagawa stats", show="day", share=True)).ephemeral
    assert "2026-01-02" in await begin(world, world.ann, world.channel, challenge="day")


@pytest.mark.parametrize("options", [{"seed": "\u200b"}, {"seed": "x", "challenge": "day"}])
async def test_what_cannot_be_a_challenge_is_refused_and_opens_nothing(
    world: World, options: dict[str, str]
) -> None:
    assert await begin(world, world.ann, world.channel, **options)
    assert await world.client.table.live() == []


def test_no_two_seasons_have_the_same_sign() -> None:
    assert len(set(challenges.SIGNS.values())) == 5


# When the cards open ---------------------------------------------------------------------------------


async def closed_to(world: World, person: Any, page: Any) -> dict[str, bool]:
    """Whether each way to a past challenge's cards is closed to a person."""
    found: dict[str, bool] = {}
    for command, options in (
        ("poster", {}),
        ("replay", {}),
        ("log", {}),
        ("score", {}),
        ("look", {"player": "ann"}),
        ("look", {"player": "ann", "round": 1}),
    ):
        result = await person.slash(world.channel, f"kanagawa {command}", **options)
        found[f"{command} {options}"] = "Others can still try this challenge" in said(result)
    if all(found.values()):
        # The page that somebody who may read it turns to, pressed by this person.
        log = answer(await world.ann.slash(world.channel, "kanagawa log"))
        custom_id = next(one["custom_id"] for one in controls(log.components))
        raw = deepcopy(await world.message(world.channel.id, page))
        next(controls(raw["components"]))["custom_id"] = custom_id
        pressed = await press_raw(world, person, raw, custom_id)
        found["a page of the log"] = "Others can still try this challenge" in said(pressed)
    suggested = await person.autocomplete(world.channel, "kanagawa replay", "game", "")
    assert not any(card in one["name"] for one in suggested for card in CARDS)
    return found


@pytest.mark.parametrize(("kind", "length", "limit"), [("day", DAY, DAY), ("week", 4 * DAY, 3 * DAY)])
async def test_a_challenge_s_cards_open_when_no_try_that_counts_can_be_alive(
    world: World, kind: str, length: float, limit: float
) -> None:
    """The simulated time begins on Thursday, the first of January, at midnight."""
    await begin(world, world.ann, world.channel, challenge=kind)
    session = await play_out(world, await world.session())
    page = session.record.message
    await world.env.advance_time(length - 1)
    told = await begin(world, world.ben, challenge=kind)
    assert "your one try that counts, if you finish it by" in told
    (record,) = await world.client.table.live()
    for step, closed in ((1, True), (1, True), (limit - 3, True), (1, True), (1, False), (1, False)):
        await world.env.advance_time(step)
        for person in (world.cleo, world.ben):
            found = await closed_to(world, person, page)
            # Ben's own try no longer counts a second before the cards open to everybody.
            own = person is world.ben and not challenges.in_time(
                f"{kind} " + str(session.record.options["seed"]).partition(" ")[2],
                (await world.client.table.get(record.id)).line[0].at,
                world.env.now().timestamp(),
            )
            assert set(found.values()) == {closed and not own}, (step, person.name, found)
    late = await play_out(world, await world.client.table.get(record.id))
    assert "finished too late to count" in await final_text(world, late)
    assert not await world.client.table.counts(late)
    assert len(await world.client.table.best_tries(str(session.record.options["seed"]), None, 9)) == 1


async def test_a_word_s_cards_stay_closed_to_everybody_whose_own_try_is_not_over(world: World) -> None:
    await begin(world, world.ann, world.channel, seed="dragon")
    session = await play_out(world, await world.session())
    page = session.record.message
    await world.env.advance_time(400 * DAY)
    assert set((await closed_to(world, world.cleo, page)).values()) == {True}
    await begin(world, world.cleo, seed="dragon")
    assert set((await closed_to(world, world.cleo, page)).values()) == {True}, "hers has only begun"
    (record,) = await world.client.table.live()
    await play_out(world, await world.client.table.get(record.id))
    shown = await world.cleo.slash(world.channel, "kanagawa poster")
    assert shown.ephemeral, "others here may not have tried it"
    assert set((await closed_to(world, world.cleo, page)).values()) == {False}


async def test_a_try_that_is_cancelled_or_forgotten_is_used_up(world: World) -> None:
    for number, give_up in enumerate(("cancel", "concede", "forget")):
        await begin(world, world.ann, world.channel, seed=f"word{number}")
        session = await world.session()
        table = world.client.table
        await (
            table.forget(world.ann.id)
            if give_up == "forget"
            else getattr(table, give_up)(session.id, world.ann.id)
        )
        assert (await table.get(session.id)).finished
        assert "for yourself" in await begin(world, world.ann, world.channel, seed=f"word{number}")
        again = await play_out(world, await world.session())
        assert not await table.counts(again)
    text = said(await world.ann.slash(world.channel, "kanagawa stats", show="solo"))
    assert "Nobody yet" in text, "other tries enter no board"
