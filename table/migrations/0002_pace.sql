-- When each version was saved (seconds since 1970, UTC), and who made it when not the person of the
-- seat: 'order' left ahead, or the 'apprentice'.
ALTER TABLE turn ADD COLUMN at REAL NOT NULL DEFAULT 0;
ALTER TABLE turn ADD COLUMN maker TEXT;

-- game.deadline is the next moment at which time itself does something to the game. handled is the last
-- such moment that was dealt with, told the version at which the last turn began that somebody was
-- notified of: each is written before anything is sent, so nothing is ever sent twice. notice is the message that
-- notified last, asks (JSON) what people of the table have been asked and not yet answered.
ALTER TABLE game ADD COLUMN handled REAL NOT NULL DEFAULT 0;
ALTER TABLE game ADD COLUMN told INTEGER NOT NULL DEFAULT -1;
ALTER TABLE game ADD COLUMN notice INTEGER;
ALTER TABLE game ADD COLUMN asks TEXT NOT NULL DEFAULT '[]';

CREATE INDEX game_deadline ON game (deadline) WHERE finished IS NULL AND deadline IS NOT NULL;

-- What a seat that waits is to do when its turn comes: codes in order of preference, and the situation
-- they were given for.
CREATE TABLE ahead (
    game      INTEGER NOT NULL REFERENCES game (id),
    seat      INTEGER NOT NULL,
    situation TEXT    NOT NULL,
    codes     TEXT    NOT NULL,
    PRIMARY KEY (game, seat)
);

-- How a person wants to be notified (JSON); without a row, as everybody is.
CREATE TABLE preference (
    user    INTEGER PRIMARY KEY,
    choices TEXT NOT NULL
);

-- Notices held back by a person's quiet hours, and when these end. One for each game suffices.
CREATE TABLE held (
    game INTEGER NOT NULL REFERENCES game (id),
    user INTEGER NOT NULL,
    due  REAL    NOT NULL,
    PRIMARY KEY (game, user)
);
