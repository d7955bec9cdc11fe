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
