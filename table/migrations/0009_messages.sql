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
