-- A game. Without turns it is a lobby; without an end it is live, and a channel has one live game.
-- options and seats are JSON; seats lists people in seat order (in a lobby: in order of joining).
CREATE TABLE game (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    channel  INTEGER NOT NULL,
    message  INTEGER,
    kind     TEXT    NOT NULL,
    options  TEXT    NOT NULL,
    locale   TEXT    NOT NULL,
    host     INTEGER NOT NULL,
    seats    TEXT    NOT NULL,
    deadline REAL,
    finished TEXT
);

CREATE UNIQUE INDEX one_live_game ON game (channel) WHERE finished IS NULL;

-- Append-only. Version 0 is the set-up; every later one is an action of a seat, or 'undo', which
-- brings an earlier state back. The state is the one after the action.
CREATE TABLE turn (
    game    INTEGER NOT NULL REFERENCES game (id),
    version INTEGER NOT NULL,
    seat    INTEGER,
    action  TEXT,
    state   BLOB,
    PRIMARY KEY (game, version)
);

-- When a game has ended, of its states only the first and the last remain. What could not be read is
-- kept whole, for whoever mends it.
CREATE TRIGGER ended_game_drops_states AFTER UPDATE OF finished ON game
WHEN NEW.finished <> 'unreadable'
BEGIN
    UPDATE turn SET state = NULL
    WHERE game = NEW.id AND version > 0
        AND version < (SELECT max(version) FROM turn WHERE game = NEW.id);
END;
