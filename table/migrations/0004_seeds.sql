-- Secrets of this database, by name: drawn once, and never shown.
CREATE TABLE secret (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
);

-- Of all games that are dealt from one seed, the one that counts for a person: the first they began.
CREATE TABLE attempt (
    seed TEXT    NOT NULL,
    user INTEGER NOT NULL,
    game INTEGER NOT NULL REFERENCES game (id),
    PRIMARY KEY (seed, user)
);

-- INSERT INTO forgotten lets a person be nobody (the user 0, without a name) wherever they sat, and drops
-- what is theirs alone; in one statement, so that nobody is forgotten by halves. What is no JSON names nobody
-- that could be found.
CREATE VIEW forgotten AS SELECT user FROM preference WHERE 0;

CREATE TRIGGER forget INSTEAD OF INSERT ON forgotten
BEGIN
    UPDATE game SET
        host = CASE host WHEN NEW.user THEN 0 ELSE host END,
        asks = '[]',
        seats = (
            SELECT json_group_array(json(CASE WHEN json_extract(value, '$.user') = NEW.user
                THEN json_set(value, '$.user', 0, '$.name', '') ELSE value END))
            FROM json_each(seats)
        )
    WHERE CASE WHEN json_valid(seats) THEN
        host = NEW.user
        OR EXISTS (SELECT 1 FROM json_each(seats) WHERE json_extract(value, '$.user') = NEW.user)
    END;
    -- A friend who was asked to sit down need not have sat anywhere.
    UPDATE game SET asks = '[]'
    WHERE CASE WHEN json_valid(asks) THEN
        EXISTS (SELECT 1 FROM json_each(asks) WHERE json_extract(value, '$.friend') = NEW.user)
    END;
    UPDATE result SET seats = (
        SELECT json_group_array(json(CASE WHEN json_extract(value, '$.user') = NEW.user
            THEN json_set(value, '$.user', 0, '$.name', '') ELSE value END))
        FROM json_each(seats)
    )
    WHERE CASE WHEN json_valid(seats) THEN
        EXISTS (SELECT 1 FROM json_each(seats) WHERE json_extract(value, '$.user') = NEW.user)
    END;
    -- The results of challenges stay, each as that of another nobody.
    UPDATE attempt SET user = -game WHERE user = NEW.user;
    DELETE FROM preference WHERE user = NEW.user;
    DELETE FROM held WHERE user = NEW.user;
END;
