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
