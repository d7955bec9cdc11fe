"""The table: opening, joining, starting and leaving a game, acting in it, taking back.

Every change of a game happens under that game's lock and is saved before it is shown. What is returned
is a :class:`Position`, a value: nothing that happens later changes it.
"""
