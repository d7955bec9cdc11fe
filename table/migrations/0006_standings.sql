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

-- Beside what forgets a person elsewhere: their standings go, and a seat they gave up was nobody's. The marks
-- of their tries stay, or they could try a challenge a second time.
CREATE TRIGGER forget_standings INSTEAD OF INSERT ON forgotten
BEGIN
    UPDATE result SET seats = (
        SELECT json_group_array(json(CASE type
            WHEN 'object' THEN CASE WHEN json_extract(value, '$.user') = NEW.user
                THEN json_set(value, '$.user', 0, '$.name', '') ELSE value END
            WHEN 'text' THEN json_quote(value)
            ELSE value END))
        FROM json_each(seats)
    )
    WHERE game IN (SELECT gone.game FROM gone WHERE gone.user = NEW.user)
        AND CASE WHEN typeof(seats) = 'text' THEN json_valid(seats) END;
    UPDATE gone SET user = 0, name = '' WHERE user = NEW.user;
    DELETE FROM standing WHERE user = NEW.user;
    DELETE FROM ending WHERE user = NEW.user;
END;
