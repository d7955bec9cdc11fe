"""Transcripts at the command line: replaying, refusing, and the messages and exit codes."""

from __future__ import annotations

import codecs
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kanagawa.__main__ import main

Change = Callable[[dict[str, Any]], Any]


@pytest.fixture
def game(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return the transcript of a finished game of two."""
    assert main(["play", "--seed", "5", "--players", "2"]) == 0
    return json.loads(capsys.readouterr().out)


def write(folder: Path, text: object) -> str:
    """Write bytes, or a value as JSON, to a file and return its path."""
    file = folder / "game.json"
    file.write_bytes(text if isinstance(text, bytes) else json.dumps(text).encode())
    return str(file)


@pytest.mark.parametrize("arguments", [["--players", "4"], ["--solo"], ["--solo", "--policy", "apprentice"]])
def test_play_and_replay(tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    """``replay`` accepts the transcript that ``play`` prints, with the same scores and winners."""
    assert main(["play", "--seed", "3", *arguments]) == 0
    played = capsys.readouterr().out
    assert main(["replay", write(tmp_path, played.encode())]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result == {key: json.loads(played)[key] for key in ("scores", "winners")}


def test_a_file_without_end_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is far too large is refused, and only its beginning is read."""
    file = tmp_path / "large"
    with file.open("wb") as large:
        large.truncate(1 << 40)
    for command in ("replay", "legal"):
        assert main([command, str(file)]) == 2
        assert "longer than" in capsys.readouterr().err


def test_osahitos_score_has_symbols(game: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """A player's score has a part for the Grand Master, Osahito's has one for symbols (O8 E)."""
    assert set(game["scores"][0]) == {"print", "season", "harmony", "diplomas", "grand_master", "total"}
    main(["play", "--seed", "3", "--solo"])
    solo = json.loads(capsys.readouterr().out)
    assert set(solo["scores"][1]) == {"print", "season", "harmony", "diplomas", "symbols", "total"}


def test_unfinished_games(tmp_path: Path, game: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    """The result of an unfinished game is empty."""
    short = {key: game[key] for key in game if key not in ("scores", "winners")}
    assert main(["replay", write(tmp_path, short | {"actions": game["actions"][:40]})]) == 0
    assert capsys.readouterr().out == "{}\n"


def test_legal_actions_of_each_prefix(
    tmp_path: Path, game: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """``legal`` prints sorted codes at the start and after each action, and an empty list at the end."""
    assert main(["legal", write(tmp_path, game)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == len(game["actions"]) + 1
    for index, (line, (seat, code)) in enumerate(zip(lines, game["actions"], strict=False)):
        assert (line["index"], line["seat"]) == (index, seat)
        assert code in line["legal"]
        assert line["legal"] == sorted(line["legal"])
    assert lines[-1] == {"index": len(game["actions"]), "seat": None, "legal": []}


def test_unknown_keys_are_ignored(tmp_path: Path, game: dict[str, Any]) -> None:
    """Unknown keys in a transcript change nothing."""
    game["scores"][0]["stars"] = 3
    assert main(["replay", write(tmp_path, game | {"comment": "what a game"})]) == 0


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda game: game["actions"].__setitem__(0, [game["actions"][0][0], "take.4"]), "take.4"),
        (lambda game: game["actions"].__setitem__(0, [game["actions"][0][0], "fly.1"]), "fly.1"),
        (lambda game: game["actions"].__setitem__(0, [game["actions"][0][0], "\ud800"]), "ud800"),
        (lambda game: game["actions"].__setitem__(0, [7, game["actions"][0][1]]), "seat 7"),
        (lambda game: game["actions"].__setitem__(0, [-1, game["actions"][0][1]]), "seat -1"),
        (lambda game: game["actions"].append([0, "done"]), "the game is over"),
        (lambda game: game["actions"].pop(), "not over"),
        (lambda game: game["scores"][0].update(total=99), "scores"),
        (lambda game: game["scores"][0].pop("print"), "scores"),
        (lambda game: game["scores"].append({}), "scores"),
        (lambda game: game.update(winners=[]), "winners"),
        (lambda game: game.update(winners=[float(one) for one in game["winners"]]), "winners"),
        (lambda game: game.update(winners=None), "winners"),
    ],
)
def test_a_transcript_that_breaks_the_rules(
    tmp_path: Path, game: dict[str, Any], capsys: pytest.CaptureFixture[str], change: Change, said: str
) -> None:
    """A transcript that breaks the rules gives exit code 1 and a message with the details."""
    change(game)
    assert main(["replay", write(tmp_path, game)]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    [
        lambda game: b"",
        lambda game: b"\xff\xfe",
        lambda game: b"[" * 100_000,
        lambda game: [game],
        lambda game: game | {"format": "kanagawa-transcript/2"},
        lambda game: game | {"mode": "party"},
        lambda game: game | {"mode": ["table"]},
        lambda game: game | {"start_tiles": ["S1", "S1"]},
        lambda game: game | {"start_tiles": ["S1"]},
        lambda game: game | {"start_tiles": ["S1", ["S2"]]},
        lambda game: game | {"mode": "osahito", "start_tiles": ["S1", "S2", "S3"]},
        lambda game: game | {"mode": "osahito", "first": 1},
        lambda game: game | {"first": 2},
        lambda game: game | {"first": True},
        lambda game: game | {"first": 0.0},
        lambda game: game | {"deck": game["deck"][:-1]},
        lambda game: game | {"deck": [*game["deck"][:-1], game["deck"][0]]},
        lambda game: game | {"deck": [*game["deck"][:-1], "X01"]},
        lambda game: game | {"actions": {}},
        lambda game: game | {"actions": [[0, "stay", 1]]},
        lambda game: game | {"actions": [["0", "stay"]]},
        lambda game: game | {"actions": [[False, "stay"]]},
        lambda game: game | {"actions": [[0, 1]]},
        lambda game: {key: value for key, value in game.items() if key != "actions"},
    ],
)
def test_a_file_that_is_not_a_transcript(
    tmp_path: Path, game: dict[str, Any], capsys: pytest.CaptureFixture[str], change: Change
) -> None:
    """A file that is not a transcript gives exit code 2, for ``replay`` and for ``legal``."""
    file = write(tmp_path, change(game))
    assert main(["replay", file]) == 2
    assert main(["legal", file]) == 2
    assert "not a transcript" in capsys.readouterr().err


def test_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing file gives a message with its name, and no traceback."""
    assert main(["replay", str(tmp_path / "none.json")]) == 2
    assert "none.json" in capsys.readouterr().err


# Unusual inputs and outputs ------------------------------------------------------------------------------


def run(*arguments: str, stdin: bytes = b"", **options: Any) -> subprocess.CompletedProcess[bytes]:
    """Run the program in a process of its own."""
    streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
    return subprocess.run([sys.executable, "-m", "kanagawa", *arguments], input=stdin, timeout=60, **streams)


@pytest.mark.parametrize("arguments", [["legal"], ["replay"], ["play", "--seed", "1"]])
def test_a_reader_that_has_gone_ends_it_quietly(
    tmp_path: Path, game: dict[str, Any], arguments: list[str]
) -> None:
    """If the reader of the output has gone, as in ``| head``, the exit code is 141 and nothing is printed."""
    file = [] if "play" in arguments else [write(tmp_path, game)]
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as gone:
        done = run(*arguments, *file, stdout=gone)
    assert (done.returncode, done.stderr) == (141, b"")


def test_an_error_whose_reader_has_gone_keeps_its_code(tmp_path: Path) -> None:
    """An error that cannot be printed still gives its exit code."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as gone:
        assert run("replay", write(tmp_path, b"{}"), stderr=gone).returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_not_the_transcripts_fault(tmp_path: Path, game: dict[str, Any]) -> None:
    """A result that cannot be written gives exit code 3 and a message of one line."""
    with Path("/dev/full").open("wb") as full:
        done = run("legal", write(tmp_path, game), stdout=full)
    assert done.returncode == 3
    assert b"cannot be written" in done.stderr
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda game: game["actions"].__setitem__(0, [0, "x" * 500_000]),
        lambda game: game["actions"].__setitem__(0, [0, "\ud800" * 50_000]),
        lambda game: game["actions"].__setitem__(0, [10**4000, "stay"]),
        lambda game: game.update(winners="x" * 500_000),
        lambda game: game.update(winners=[0] * 100_000),
        lambda game: game.update(scores=10**4000),
        lambda game: game.update(scores={"x" * 1000: {"y" * 1000: ["z" * 1000] * 100}}),
    ],
)
def test_long_values_are_shortened_in_messages(
    tmp_path: Path, game: dict[str, Any], capsys: pytest.CaptureFixture[str], change: Change
) -> None:
    """A long value of a transcript makes no long message."""
    change(game)
    assert main(["replay", write(tmp_path, game)]) == 1
    assert 0 < len(capsys.readouterr().err) < 1100


def test_deeply_nested_scores_are_shortened(
    tmp_path: Path, game: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    """A deeply nested value of a transcript makes no long message and no crash."""
    text = json.dumps(game | {"scores": "DEEP"})
    for depth in (10, 300, 900):
        deep = text.replace('"DEEP"', "[" * depth + "]" * depth)
        assert main(["replay", write(tmp_path, deep.encode())]) == 1
        assert len(capsys.readouterr().err) < 1100


@pytest.mark.parametrize("typed", ["9" * 5000, "1" * 500_000, "x" * 500_000, "1.5", "", "٣x"])
def test_a_bad_seed_gives_a_short_message(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A seed that is not a whole number, or is too long, gives exit code 2 and a short message."""
    with pytest.raises(SystemExit) as ended:
        main(["play", "--seed", typed])
    assert ended.value.code == 2
    assert len(capsys.readouterr().err) < 1500


def test_an_unknown_command_is_not_repeated_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """A long unknown command gives a short message."""
    with pytest.raises(SystemExit):
        main(["x" * 100_000])
    assert len(capsys.readouterr().err) < 1500


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_other_encodings_of_unicode_are_read(tmp_path: Path, game: dict[str, Any], encoding: str) -> None:
    """Transcripts in UTF-8, UTF-16 and UTF-32 are read, because programs on Windows write them."""
    assert main(["replay", write(tmp_path, json.dumps(game).encode(encoding))]) == 0
    bom = codecs.BOM_UTF16_LE + json.dumps(game).encode("utf-16-le")
    assert main(["replay", write(tmp_path, bom)]) == 0


@pytest.mark.parametrize(
    "data", [b"", b"\xef\xbb\xbf", b"\xff\xfe", b" \n", b"\0", b"\xff\xfe\0\xd8", b'"\xed\xa0\x80"', b"\xfe"]
)
def test_nothing_or_no_text_is_no_transcript(
    tmp_path: Path, data: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty file, or bytes that are not text, are refused as not a transcript."""
    assert main(["replay", write(tmp_path, data)]) == 2
    assert capsys.readouterr().err.startswith("not a transcript: ")


def test_a_folder_and_a_name_that_is_too_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder or an impossible file name gives exit code 2 and a short message."""
    assert main(["replay", str(tmp_path)]) == 2
    assert "irectory" in capsys.readouterr().err
    assert main(["replay", "x" * 100_000]) == 2
    assert len(capsys.readouterr().err) < 1100


def test_the_standard_input_is_read_for_a_dash(
    game: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file name - stands for the standard input, which may be missing."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(game).encode())))
    assert main(["replay", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["winners"] == game["winners"]
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["legal", "-"]) == 2
    assert "no standard input" in capsys.readouterr().err
