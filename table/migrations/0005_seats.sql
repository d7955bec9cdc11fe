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
    WHERE game IN (SELECT seat.game FROM seat WHERE seat.user = NEW.user)
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
    DELETE FROM preference WHERE user = NEW.user;
    DELETE FROM held WHERE user = NEW.user;
END;
