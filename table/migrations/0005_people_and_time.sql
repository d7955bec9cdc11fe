-- People, time, standings, questions and posts: each part with its own heading.

-- Seats -----------------------------------------------------------------------------------------------

-- Who sits where, with an index by person. game.seats says it; the triggers below keep this table to it in the
-- same statement. plays is 0 where the apprentice plays the seat, live is 0 when the game has ended.
CREATE TABLE seat (
    game   INTEGER NOT NULL REFERENCES game (id),
    number INTEGER NOT NULL,
    user   INTEGER NOT NULL,
    plays  INTEGER NOT NULL,
    live   INTEGER NOT NULL,
    PRIMARY KEY (game, number)
);

CREATE INDEX seat_person ON seat (user, live, plays);

-- Every change of a row raises its revision: who changes a game says which revision they have seen.
ALTER TABLE game ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

CREATE INDEX game_live ON game (id) WHERE finished IS NULL;
CREATE INDEX game_over ON game (channel, id) WHERE finished = 'over';
CREATE INDEX game_host ON game (host);
-- The few games in which somebody has asked something.
CREATE INDEX game_asking ON game (id) WHERE asks <> '[]';
CREATE INDEX attempt_game ON attempt (game);
CREATE INDEX attempt_user ON attempt (user);
CREATE INDEX held_due ON held (due);
CREATE INDEX held_user ON held (user);

-- How many games are live: one row, which the triggers below keep right.
CREATE TABLE live_games (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL
);

INSERT INTO live_games (id, number) SELECT 1, count(*) FROM game WHERE finished IS NULL;

-- A table of seats that is no JSON, or is damaged in another way, seats nobody.
CREATE VIEW sitting AS
SELECT game.id AS game, one.key AS number, json_extract(one.value, '$.user') AS user,
    NOT ifnull(json_extract(one.value, '$.apprentice'), 0) AS plays, game.finished IS NULL AS live
FROM game, json_each(CASE WHEN typeof(seats) = 'text' AND json_valid(seats) THEN seats ELSE '[]' END) AS one
WHERE CASE one.type WHEN 'object' THEN typeof(json_extract(one.value, '$.user')) = 'integer' END;

INSERT INTO seat (game, number, user, plays, live) SELECT game, number, user, plays, live FROM sitting;

CREATE TRIGGER new_game_is_seated AFTER INSERT ON game
BEGIN
    UPDATE live_games SET number = number + 1 WHERE id = 1 AND NEW.finished IS NULL;
    -- Nobody plays in more than 25 live games (MAX_SEATS); who plays in this one already is no newcomer.
    SELECT RAISE(ABORT, 'too many games') FROM sitting
    WHERE game = NEW.id AND plays AND live
        AND NOT EXISTS (
            SELECT 1 FROM seat WHERE seat.game = NEW.id AND seat.user = sitting.user AND seat.plays
        )
        AND (SELECT count(*) FROM seat WHERE seat.user = sitting.user AND seat.live AND seat.plays) >= 25;
    INSERT INTO seat (game, number, user, plays, live)
    SELECT game, number, user, plays, live FROM sitting WHERE game = NEW.id;
END;

CREATE TRIGGER game_is_seated_anew AFTER UPDATE OF seats ON game WHEN NEW.seats IS NOT OLD.seats
BEGIN
    -- Nobody plays in more than 25 live games (MAX_SEATS); who plays in this one already is no newcomer.
    SELECT RAISE(ABORT, 'too many games') FROM sitting
    WHERE game = NEW.id AND plays AND live
        AND NOT EXISTS (
            SELECT 1 FROM seat WHERE seat.game = NEW.id AND seat.user = sitting.user AND seat.plays
        )
        AND (SELECT count(*) FROM seat WHERE seat.user = sitting.user AND seat.live AND seat.plays) >= 25;
    DELETE FROM seat WHERE game = NEW.id;
    INSERT INTO seat (game, number, user, plays, live)
    SELECT game, number, user, plays, live FROM sitting WHERE game = NEW.id;
END;

CREATE TRIGGER ended_game_frees_seats AFTER UPDATE OF finished ON game
WHEN (NEW.finished IS NULL) <> (OLD.finished IS NULL)
BEGIN
    UPDATE seat SET live = NEW.finished IS NULL WHERE game = NEW.id;
    UPDATE live_games SET number = number + iif(NEW.finished IS NULL, 1, -1) WHERE id = 1;
END;

-- Games that were played out and have no result yet, and those of which nobody was told that they were, with
-- when they ended.
CREATE TABLE unrecorded (
    game INTEGER PRIMARY KEY REFERENCES game (id)
);

CREATE TABLE untold (
    game INTEGER PRIMARY KEY REFERENCES game (id),
    at   REAL NOT NULL
);

CREATE INDEX untold_at ON untold (at);

INSERT INTO unrecorded (game) SELECT id FROM game WHERE finished = 'over' AND id NOT IN (SELECT game FROM result);

INSERT INTO untold (game, at)
SELECT id, at FROM game JOIN turn ON turn.game = id
WHERE finished = 'over' AND version <> told AND version = (SELECT max(version) FROM turn WHERE game = id);

CREATE TRIGGER played_out_game_is_to_be_told AFTER UPDATE OF finished ON game
WHEN NEW.finished = 'over' AND OLD.finished IS NOT 'over'
BEGIN
    INSERT INTO unrecorded (game) SELECT NEW.id WHERE NOT EXISTS (SELECT 1 FROM result WHERE game = NEW.id);
    INSERT OR REPLACE INTO untold (game, at)
    SELECT game, at FROM turn
    WHERE game = NEW.id AND version = (SELECT max(version) FROM turn WHERE game = NEW.id)
        AND version <> NEW.told;
END;

CREATE TRIGGER result_is_recorded AFTER INSERT ON result
BEGIN
    DELETE FROM unrecorded WHERE game = NEW.game;
END;

CREATE TRIGGER end_is_told AFTER UPDATE OF told ON game
WHEN NEW.finished = 'over' AND NEW.told = (SELECT max(version) FROM turn WHERE game = NEW.id)
BEGIN
    DELETE FROM untold WHERE game = NEW.id;
END;

-- A person's ID must not be the number of a row: SQLite keeps such numbers when the row is deleted.
CREATE TABLE preference_by_person (
    user    INTEGER NOT NULL UNIQUE,
    choices TEXT    NOT NULL
);

INSERT INTO preference_by_person (user, choices) SELECT user, choices FROM preference;
DROP TRIGGER forget;
DROP VIEW forgotten;
DROP TABLE preference;
ALTER TABLE preference_by_person RENAME TO preference;

-- INSERT INTO forgotten lets a person be nobody (the user 0, without a name) wherever they sat, and drops
-- what is theirs alone; in one statement, so that nobody is forgotten by halves. They leave their lobbies,
-- and the apprentice plays their seats on. Damaged seats name nobody that could be found. A later
-- table that names people adds a trigger of its own to this view.
CREATE VIEW forgotten AS SELECT user FROM preference WHERE 0;

CREATE TRIGGER forget INSTEAD OF INSERT ON forgotten
BEGIN
    -- The results first, as long as the seats say which they are.
    UPDATE result SET seats = (
        SELECT json_group_array(json(CASE type
            WHEN 'object' THEN CASE WHEN json_extract(value, '$.user') = NEW.user
                THEN json_set(value, '$.user', 0, '$.name', '') ELSE value END
            WHEN 'text' THEN json_quote(value)
            ELSE value END))
        FROM json_each(seats)
    )
    WHERE game IN (
        SELECT seat.game FROM seat WHERE seat.user = NEW.user
        UNION SELECT gone.game FROM gone WHERE gone.user = NEW.user
    )
        AND CASE WHEN typeof(seats) = 'text' THEN json_valid(seats) END;
    -- A friend who was asked to sit down need not have sat anywhere.
    UPDATE game SET asks = '[]', revision = revision + 1
    WHERE asks <> '[]' AND CASE WHEN json_valid(asks) THEN
        EXISTS (
            SELECT 1 FROM json_each(asks)
            WHERE CASE type WHEN 'object'
                THEN NEW.user IN (json_extract(value, '$.friend'), json_extract(value, '$.user')) END
        )
    END;
    UPDATE game SET
        revision = revision + 1,
        asks = '[]',
        host = CASE
            WHEN host <> NEW.user THEN host
            WHEN finished IS NOT NULL THEN 0
            ELSE ifnull((
                SELECT seat.user FROM seat
                WHERE seat.game = game.id AND seat.plays AND seat.user <> NEW.user ORDER BY number LIMIT 1
            ), 0) END,
        seats = CASE
            WHEN typeof(seats) <> 'text' OR NOT json_valid(seats) THEN seats
            WHEN finished IS NULL AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.game = game.id) THEN (
                SELECT json_group_array(json(value)) FROM json_each(seats)
                WHERE CASE type WHEN 'object' THEN json_extract(value, '$.user') IS NOT NEW.user END
            )
            ELSE (
                SELECT json_group_array(json(CASE type
                    WHEN 'object' THEN CASE
                        WHEN json_extract(value, '$.user') IS NOT NEW.user THEN value
                        WHEN finished IS NOT NULL THEN json_set(value, '$.user', 0, '$.name', '')
                        ELSE json_set(
                            value, '$.user', 0, '$.name', '', '$.apprentice', json('true'), '$.missed', 0
                        ) END
                    WHEN 'text' THEN json_quote(value)
                    ELSE value END))
                FROM json_each(seats)
            ) END
    WHERE id IN (
        SELECT seat.game FROM seat WHERE seat.user = NEW.user
        UNION SELECT hosted.id FROM game AS hosted WHERE hosted.host = NEW.user
    );
    -- The results of challenges stay, each as that of another nobody.
    UPDATE attempt SET user = -game WHERE user = NEW.user;
    -- Their standings go, and a seat they gave up was nobody's. The marks of their tries stay, or they could try
    -- a challenge a second time.
    UPDATE gone SET user = 0, name = '' WHERE user = NEW.user;
    DELETE FROM standing WHERE user = NEW.user;
    DELETE FROM ending WHERE user = NEW.user;
    DELETE FROM preference WHERE user = NEW.user;
    DELETE FROM held WHERE user = NEW.user;
END;

-- Standings -------------------------------------------------------------------------------------------

-- What a person has come to in a scope: a server, or 0 for all of them and direct messages. sort is 'table' for
-- games of several people, 'solo' for those alone; value is what a board ranks by, NULL for nobody of the board;
-- figures is JSON. table/standings.py says what counts.
CREATE TABLE standing (
    scope   INTEGER NOT NULL,
    sort    TEXT    NOT NULL,
    user    INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    games   INTEGER NOT NULL,
    gone    INTEGER NOT NULL,
    wins    INTEGER NOT NULL,
    best    REAL,
    rated   INTEGER NOT NULL,
    mu      REAL,
    sigma   REAL,
    value   REAL,
    figures TEXT    NOT NULL,
    PRIMARY KEY (scope, sort, user)
);

CREATE INDEX standing_board ON standing (scope, sort, value DESC, games DESC, user) WHERE value IS NOT NULL;
CREATE INDEX standing_user ON standing (user);

-- Who began a seat and gave it up to somebody else.
CREATE TABLE gone (
    game INTEGER NOT NULL REFERENCES game (id),
    seat INTEGER NOT NULL,
    user INTEGER NOT NULL,
    name TEXT    NOT NULL,
    PRIMARY KEY (game, seat)
);

CREATE INDEX gone_user ON gone (user);

-- Who would end a game without a result, and at which version they said so.
CREATE TABLE ending (
    game    INTEGER NOT NULL REFERENCES game (id),
    user    INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (game, user)
);

CREATE INDEX ending_user ON ending (user);

-- mark is the person's keyed sign, which outlives forgetting; points is what the try came to, once it counts.
ALTER TABLE attempt ADD COLUMN mark TEXT;
ALTER TABLE attempt ADD COLUMN points REAL;

CREATE UNIQUE INDEX attempt_mark ON attempt (seed, mark) WHERE mark IS NOT NULL;
CREATE INDEX attempt_unmarked ON attempt (user) WHERE mark IS NULL;

-- The boards of challenges: the tries that count, in each scope where their person is known; and how many.
CREATE TABLE placing (
    scope  INTEGER NOT NULL,
    seed   TEXT    NOT NULL,
    game   INTEGER NOT NULL REFERENCES game (id),
    points REAL    NOT NULL,
    PRIMARY KEY (scope, seed, game)
);

CREATE INDEX placing_board ON placing (scope, seed, points DESC, game);

CREATE TABLE tried (
    scope INTEGER NOT NULL,
    seed  TEXT    NOT NULL,
    tries INTEGER NOT NULL,
    PRIMARY KEY (scope, seed)
);

-- Whether a result counts; of a challenge the first try of each person alone.
ALTER TABLE result ADD COLUMN counts INTEGER NOT NULL DEFAULT 1;

UPDATE result SET counts = 0
WHERE game NOT IN (SELECT game FROM attempt)
    AND EXISTS (
        SELECT 1 FROM game
        WHERE id = result.game
            AND CASE WHEN json_valid(options) THEN json_extract(options, '$.seed') IS NOT NULL END
    );

-- The results that no standing holds yet, in the order in which they are to be counted: the program does that.
CREATE TABLE pending (
    number INTEGER PRIMARY KEY,
    game   INTEGER NOT NULL
);

INSERT INTO pending (game) SELECT game FROM result ORDER BY at, game;

-- Absence ---------------------------------------------------------------------------------------------

-- Absence and pauses. All times are seconds since 1970, UTC.

-- The last moment at which the bot was running and connected: one row.
CREATE TABLE seen (id INTEGER PRIMARY KEY CHECK (id = 1), at REAL NOT NULL);

-- Of an older database the last move that was made in a live game shows that the bot was running.
INSERT INTO seen (id, at)
SELECT 1, at FROM (
    SELECT max((SELECT at FROM turn WHERE game = game.id ORDER BY version DESC LIMIT 1)) AS at
    FROM game WHERE finished IS NULL
) WHERE at > 0;

-- When nobody could play, for the bot was not running or not connected. It counts against nobody: turns are
-- given this time by reading it, lobbies when it is written. No turn lasts for a year.
CREATE TABLE outage (start REAL NOT NULL, stop REAL NOT NULL);

-- After the computer's clock was put back, what it has shown before says nothing of today.
CREATE TRIGGER seen_earlier AFTER INSERT ON seen
BEGIN
    UPDATE outage SET stop = NEW.at WHERE stop > NEW.at;
END;

CREATE TRIGGER outage_ends AFTER INSERT ON outage
BEGIN
    UPDATE game SET deadline = deadline + NEW.stop - NEW.start
    WHERE finished IS NULL AND deadline > NEW.start
        AND NOT EXISTS (SELECT 1 FROM turn WHERE turn.game = game.id);
    DELETE FROM outage WHERE stop < NEW.stop - 366 * 86400;
    REPLACE INTO seen (id, at) VALUES (1, NEW.stop);
END;

-- From when to when people are away, as they have said, by a mark that names nobody: so that how much of it
-- one may have outlives being forgotten. What is said last counts; coming back is an absence of no time.
CREATE TABLE absence (
    person TEXT NOT NULL,
    start  REAL NOT NULL,
    stop   REAL NOT NULL,
    PRIMARY KEY (person, start)
);
CREATE INDEX absence_stop ON absence (stop);

CREATE TRIGGER absence_begins BEFORE INSERT ON absence
BEGIN
    UPDATE absence SET stop = NEW.start WHERE person = NEW.person AND stop > NEW.start;
    DELETE FROM absence WHERE stop < NEW.start - 366 * 86400;
END;

-- Whom the host has taken out of the lobby: marks of people (JSON), which name nobody.
ALTER TABLE game ADD COLUMN barred TEXT NOT NULL DEFAULT '[]';

-- The live games of a server, which end when it removes the bot.
CREATE INDEX live_in_server ON game (CASE WHEN json_valid(options) THEN json_extract(options, '$.guild') END)
WHERE finished IS NULL;

-- In a restored backup: the least number that the next version may have, for controls still show those that
-- came after the backup.
ALTER TABLE game ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;

-- Since when the place of a game cannot be reached; and from when to when the game stood still (JSON).
ALTER TABLE game ADD COLUMN cut_off REAL;
ALTER TABLE game ADD COLUMN pauses TEXT NOT NULL DEFAULT '[]';

-- Who wants the game to be paused: marks of people (JSON), which name nobody.
ALTER TABLE game ADD COLUMN pausing TEXT NOT NULL DEFAULT '[]';

-- The application in Discord whose games these are: one row, once its bot has found a server of its games.
CREATE TABLE application (id INTEGER PRIMARY KEY CHECK (id = 1), number INTEGER NOT NULL);

-- Questions -------------------------------------------------------------------------------------------

-- Questions and who has seen which seat.

-- Who has sat on which seat of a live game, by a sign of the person that outlives forgetting: nobody who has
-- seen the cards of one seat sits down on another. The people of today are added when their game is read.
CREATE TABLE sat (
    game INTEGER NOT NULL REFERENCES game (id),
    mark TEXT    NOT NULL,
    seat INTEGER NOT NULL,
    PRIMARY KEY (game, mark)
);

CREATE TRIGGER sat_goes_with_the_game AFTER UPDATE OF finished ON game WHEN NEW.finished IS NOT NULL
BEGIN
    DELETE FROM sat WHERE game = NEW.id;
END;

-- Messages that ask something and still have their buttons: who asked (their sign and seat), and what.
CREATE TABLE question (
    message INTEGER PRIMARY KEY,
    game    INTEGER NOT NULL REFERENCES game (id),
    channel INTEGER NOT NULL,
    mark    TEXT    NOT NULL,
    seat    INTEGER NOT NULL,
    undo    INTEGER NOT NULL
);

CREATE INDEX question_of_game ON question (game);

-- When whom was mentioned last in a question of whom, both by their signs; and who has refused to sit down.
CREATE TABLE mention (
    asker   TEXT    NOT NULL,
    asked   TEXT    NOT NULL,
    game    INTEGER NOT NULL REFERENCES game (id),
    at      REAL    NOT NULL,
    refused INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (asker, asked, game)
);

CREATE INDEX mention_at ON mention (at);

-- After a day only refusals in live games mean anything.
CREATE TRIGGER old_mentions_go AFTER INSERT ON mention
BEGIN
    DELETE FROM mention WHERE at < NEW.at - 86400
        AND (NOT refused OR EXISTS (SELECT 1 FROM game WHERE id = mention.game AND finished IS NOT NULL));
END;

-- Messages --------------------------------------------------------------------------------------------

-- The posts of games that are under way: one that is left over when the bot starts may have reached its
-- channel without anybody knowing its number. With the nonce Discord takes a second try for the first.
CREATE TABLE posting (
    game    INTEGER PRIMARY KEY REFERENCES game (id),
    channel INTEGER NOT NULL,
    nonce   TEXT    NOT NULL,
    at      REAL    NOT NULL
);

CREATE TRIGGER posted AFTER UPDATE OF message ON game WHEN NEW.message IS NOT OLD.message
BEGIN
    DELETE FROM posting WHERE game = NEW.id;
END;
