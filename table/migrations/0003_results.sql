-- What a game that was played to its end has come to, once for each. guild is Discord's server, NULL for
-- a direct message; seats and facts are JSON: the people of that moment, and what the game says of each
-- seat, of its own players too.
CREATE TABLE result (
    game  INTEGER PRIMARY KEY REFERENCES game (id),
    guild INTEGER,
    at    REAL NOT NULL,
    seats TEXT NOT NULL,
    facts TEXT NOT NULL
);

CREATE INDEX result_guild ON result (guild);
