-- Absence and pauses.

-- The live games of a server, which end when it removes the bot.
CREATE INDEX live_in_server ON game (CASE WHEN json_valid(options) THEN json_extract(options, '$.guild') END)
WHERE finished IS NULL;

-- Since when the place of a game cannot be reached; and the moment from which the time of its present turn
-- counts at the earliest.
ALTER TABLE game ADD COLUMN cut_off REAL;
ALTER TABLE game ADD COLUMN resumed REAL NOT NULL DEFAULT 0;
