-- Absence and pauses.

-- The live games of a server, which end when it removes the bot.
CREATE INDEX live_in_server ON game (CASE WHEN json_valid(options) THEN json_extract(options, '$.guild') END)
WHERE finished IS NULL;
