"""Where any game is played: seats, turns, saving. Knows no rule of a game and no chat."""
