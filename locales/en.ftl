### All texts of the bot in English. One section for each part of it; the IDs are stable.

## Errors

error-incident = Sorry, something went wrong on our side, and it has been noted as incident { $incident }. What you did may have counted: look at the table with `/kanagawa table`.
error-not-saved = That could not be saved, so it has not happened. Please try again in a moment. (Incident { $incident })
error-commands-changed = This command has changed. Reload Discord (Ctrl+R, or restart the app) and try again.

# The rules
error-rule = The rules do not allow that.
error-not-your-turn = It is another player's turn. `/kanagawa table` shows whose.
error-illegal-action = The rules do not allow that now. `/kanagawa hand` shows what you can do.
error-unknown-action = I cannot make sense of that. Choose one of the suggestions that appear while you type.
error-game-finished = This game is over. `/kanagawa new` opens another.
error-state = This game was saved by a version that I can no longer read, so it had to be closed. I am sorry.

# The table
error-table = That cannot be done at this table now.
error-played-again = That game has been played again already, or ended more than a day ago. `/kanagawa new` opens another, `/kanagawa solo` one alone.
error-already-trying = You play this challenge already, and only your first try counts. `/kanagawa games` leads you to it.
error-not-over = This game is not over yet.
error-no-game = There is no game in this channel. `/kanagawa new` opens one, `/kanagawa solo` starts one against Osahito.
error-game-over = This game has ended. `/kanagawa new` opens another.
error-not-started = This game has not started yet: its host presses **Start**.
error-already-started = This game has started already. `/kanagawa table` shows it.
error-not-seated = You do not sit at this table. You are welcome to watch; `/kanagawa look` shows each picture large.
error-away = You have missed three turns in a row, so the apprentice plays on for you. Press **I'm back** below the table (`/kanagawa table`) and go on yourself.
error-not-your-move = It is another player's turn. `/kanagawa table` shows whose.
error-stale = The table has moved on since that was shown. Look at the newest table (`/kanagawa table`) and choose again.
error-elsewhere = That button belongs to a game that is not played in this channel. `/kanagawa games` lists yours.
error-no-time-limit = The turns of this game have no limit, so there is no clock to be stopped: take your time.
error-not-yet = The time of this turn is not over yet.
error-seat-taken = That seat is not free for you: somebody sits there, or you have left this game or seen another hand of it.
error-already-asked = You have asked that: the question is in the channel, and waits to be answered.
error-too-soon = You have asked them a moment ago. You can ask them again { $when }.
error-refused-before = They have said no in this game, so you cannot ask them again. Somebody else can sit down for you.
error-no-ask = That has been settled already, or can no longer be: something was revealed since, or the table has changed.
error-not-asked = This question is for somebody else.
error-turn-of = It is another player's turn: { $who } is to act.
error-order-lapsed = The situation has changed, so that cannot be ordered any more. Look at **My table** again.
error-cannot-undo = There is nothing to take back. You can take back only your own newest step, and nothing from before cards were dealt, cards lying face down were taken, or somebody else placed a card that only they knew.
error-must-ask = Your newest step has shown the others a card, or ended your turn. They have to allow it: press **Ask to take it back** in **My table**.
error-channel-busy = There is a game in this channel already. `/kanagawa table` shows it; another channel or a thread can hold another one. All who sit in it together, or a moderator who never sat in it, can end it with `/kanagawa cancel`. Anybody can end a game against Osahito in which nobody has moved for a week.
error-game-full = All four seats are taken. You are welcome to watch.
error-already-seated = You sit at this table already.
error-not-host = Only the host may do that. When a lobby is an hour old, anybody who sits there may start the game. A game that has started can be ended by all who sit in it together, or by a moderator who never sat in it. A game against Osahito in which nobody has moved for a week can be ended by anybody here.
error-taken-out = The host has taken you out of this lobby, so you cannot sit down in its game. Other games are open to you: `/kanagawa new` opens one in another channel.
error-too-few-players = It takes at least two players. Alone you can play `/kanagawa solo`.
error-too-many-games = You sit in as many unfinished games as one person may. Finish or leave one first: `/kanagawa games` lists them.
error-unreadable-game = This game was saved in a form that I cannot read, so it had to be closed. I am sorry. `/kanagawa new` opens another.

## Commands

command-kanagawa = Paint a landscape with Hokusai's school

## Names of things

osahito = Osahito

list = { $first } and { $last }

season = { $season ->
    [spring] spring
    [summer] summer
    [autumn] autumn
    [winter] winter
   *[storm] storm
}

landscape = { $landscape ->
    [forest] { $count ->
        [1] forest
       *[other] { $count } forests
    }
    [ocean] { $count ->
        [1] ocean
       *[other] { $count } oceans
    }
    [mountain] { $count ->
        [1] mountain
       *[other] { $count } mountains
    }
    [plain] { $count ->
        [1] plain
       *[other] { $count } plains
    }
   *[joker] Joker
}

symbol = { $symbol ->
    [brush] Brush
    [arrow] Arrow
    [hand] Hand
   *[assistant] Assistant
}


subject-name = { $subject ->
    [tree] { $count ->
        [1] a tree
        [2] two trees
       *[3] three trees
    }
    [warrior] a warrior
    [peasant] a peasant
    [monk] a monk
    [lady] a lady
    [thatched] a thatched house
    [pagoda] a pagoda
    [tiled] a tiled house
    [castle] a castle
    [round] a round pavilion
    [temple] a temple
    [boar] a boar
    [deer] a deer
    [crane] a crane
    [butterfly] a butterfly
   *[nothing] the
}

subject-scene = { $landscape ->
    [forest] forest
    [ocean] sea
    [mountain] mountains
   *[plain] plain
}

subject = { $season ->
    [storm] { $kind ->
        [nothing] a storm over the { $scene }
       *[other] { $subject } in a storm
    }
   *[other] { $kind ->
        [nothing] the { $scene } in { $season }
       *[other] { $subject } in { $season }
    }
}

card-back = a face-down { $family ->
    [T] tree
    [C] character
    [B] building
   *[A] animal
} card

demand = { $count ->
    [1] 1 { $landscape }
   *[other] { $landscape }
}

wants = wants { $demand }{ $harmony ->
    [0] {""}
   *[other] , Harmony +{ $harmony }
}
print-half = { $subject }, { $wants }

studio-half = { $harmony ->
    [0] { $shown }
   *[other] { $shown }, Harmony { $sign }
}

card-halves = { $subject } ({ $studio })
card-whole = { $print } · Studio: { $studio }

place = { $place ->
    [0] the Start tile
   *[other] place { $place }
}{ $kind ->
    [none] {""}
   *[other] {" "}({ $landscape })
}

category = { $category ->
    [tree] tree
    [building] building
    [character] character
    [animal] animal
    [brush] Brush
    [arrow] Arrow
   *[landscape] Landscape
} Diplomas

animal = { $animal ->
    [boar] boar
    [deer] deer
    [crane] crane
   *[butterfly] butterfly
}

diploma-wanted = { $category ->
    [tree] { $count } trees
    [building] { $count } different buildings
    [character] { $count } different characters
    [same] { $count } identical characters
    [animal] { $animals }
    [brush] { $count } Brushes
    [arrow] { $count } Arrows
   *[landscape] { $count } identical Landscapes
}

diploma = { $wanted }: { $points ->
    [1] 1 point
   *[other] { $points } points
}{ $bonus ->
    [brush] {" "}and a Brush
    [assistant] {" "}and the Assistant
    [storm] {" "}and a Storm token
   *[none] {""}
}

## What happened

event-dealt = { $row ->
    [1] **Round { $round }** begins.
   *[other] Row { $row } is dealt.
}
event-stayed = { $who } stays in school.
event-took = { $count ->
    [0] { $who } takes column { $column }, which is empty.
   *[other] { $who } takes column { $column }: { $cards }.
}
event-studio = { $who } puts { $shown } into the Studio, place { $place }.
event-painted = { $who } paints { $card }.
event-brush = { $who } gets a Brush.
event-storm = { $who } gets a Storm token.
event-assistant = { $other ->
    [yes] { $who } takes the Assistant from { $previous }.
   *[no] { $who } keeps the Assistant.
}
event-placed = { $who } puts a Brush on { $place }.
event-moved = { $who } moves a Brush from { $source } to { $target }.
event-diploma = { $returned ->
    [yes] { $who } gives back the Diploma for { $back } and takes { $diploma }.
   *[no] { $who } takes a Diploma: { $diploma }.
}
event-declined = { $who } declines the { $category } offered, for good.
event-done = { $kept ->
    [0] { $who } is done.
    [1] { $who } is done and keeps a card in hand.
   *[other] { $who } is done and keeps { $kept } cards in hand.
}
event-grand_master = { $other ->
    [yes] { $who } takes the Grand Master from { $previous }.
   *[no] { $who } keeps the Grand Master.
}
event-round = The round is over.
event-last = The last round is over; one last decision is due.
event-ended = The game is over.

## Pictures, for those who do not see them

alt-school = The School, round { $round }, row { $row }.
alt-column = { $count ->
    [-1] Column { $column }: taken.
    [0] Column { $column }: empty.
   *[other] Column { $column }: { $cards }.
}
alt-deck = { $count ->
    [0] The deck is empty.
    [1] One card is left, its back: { $family ->
        [T] tree
        [C] character
        [B] building
       *[A] animal
    }.
   *[other] { $count } cards are left, on top a { $family ->
        [T] tree
        [C] character
        [B] building
       *[A] animal
    } back.
}
alt-summary = { $who }: { $points } { $points ->
    [1] point
   *[other] points
}; a Print of { $cards } { $cards ->
    [1] card
   *[other] cards
}{ $run ->
    [0] {""}
   *[other] , its longest run { $run } of { $season }
}; a Studio of { $studio } { $studio ->
    [1] card
   *[other] cards
}, Arrows { $arrows }, Hands { $hands }; Brushes { $brushes }, { $unplaced } of them unplaced; cards in hand { $hand }; Storm tokens { $storms }; Diplomas { $diplomas }{ $holds ->
    [both] ; holds the Grand Master and the Assistant
    [master] ; holds the Grand Master
    [assistant] ; holds the Assistant
   *[none] {""}
}.
alt-tile = Start tile in { $season }
alt-print = Print: { $cards }.
alt-place = { $place } { $shown }{ $brush ->
    [spent] {" "}(a Brush that has painted)
    [fresh] {" "}(a Brush)
   *[none] {""}
}
alt-studio = Studio: { $places }.{ $count ->
    [0] {""}
   *[other] {" "}Diplomas: { $diplomas }.
}
alt-hand = { $count ->
    [0] No cards in hand.
   *[other] Cards in hand: { $cards }
}
alt-diplomas = On display, { $category }: { $diplomas }.
alt-held = { $who } holds: { $diplomas }.
alt-worth = { $wanted } ({ $points } points)

alt-replay = The replay of this game: { $count ->
    [one] the Print grows
   *[other] the { $count } Prints grow
    } card by card, as they were painted.
alt-transcript = The transcript of this game: its deck and every action, for programs that replay it.

## The lobby

command-new = Open a game for 2 to 4 players in this channel
command-solo = Play alone against Osahito, here and now
command-cancel = End this channel's game without a result (all who sit there, or a moderator)
lobby-title = ### A game of Kanagawa
    Paint a landscape, season by season, for the school of Master Hokusai. Everybody is welcome: press **Join**.
    -# Never played? `/kanagawa rules` explains it in eight short pages.
lobby-seat = { $number }. **{ $name }**{ $host ->
    [yes] {" "}· host
   *[no] {""}
}
lobby-waiting = { $missing ->
    [1] One more player is needed.
   *[other] { $free ->
        [0] The table is full: the host can press **Start**.
        [1] One seat is free. The host presses **Start** when all are here.
       *[other] { $free } seats are free. The host presses **Start** when all are here.
    }
}
lobby-join = Join
lobby-leave = Leave
lobby-start = Start
lobby-cancel = Cancel
lobby-out = Take somebody out
lobby-out-question = Whom do you want to take out? They cannot join this lobby again; there is no way back but another lobby.
lobby-out-pick = Whom …
lobby-out-line = { $number }. { $name }
lobby-out-done = Taken out. I have told them in the channel.
lobby-taken-out = { $who }, the host has taken you out of this lobby. You cannot join it again, but other games are open to you.
lobby-nobody-out = Nobody but you sits there any more.
lobby-cancel-yes = Yes, cancel it
lobby-end-yes = Yes, cancel it
lobby-closed = { $why ->
    [expired] Nobody started this game within a day, so it has been closed. `/kanagawa new` opens another.
   *[cancelled] This game was cancelled before it began. `/kanagawa new` opens another.
}
lobby-pace = -# Time for a turn: { $pace } · closes by itself { $closes }
option-new-pace = How much time a turn has; without it, three days
pace = { $pace ->
    [live] 10 minutes
    [day] a day
    [three-days] three days
    [week] a week
   *[none] no limit
}
option-new-thread = Whether the game gets a thread of its own, named after its players
thread-name = Kanagawa: { $names }
lobby-moved = The game has begun: it is played in { $thread }.
error-no-lobby-here = Here nobody could join you: open a game for several people in a channel of a server. Alone you can play right here: `/kanagawa solo`.
error-no-thread-here = Here a game cannot get a thread of its own: that takes a text channel of a server. Leave out `thread`, and it is played right here.
option-solo-seed = A word: the same word is the same game for everybody
option-solo-challenge = A game that everybody can try, on the same cards
solo-started = Your game against Osahito begins: its table appears below.
cancel-question = { $what ->
    [lobby] Cancel this game before it begins?
    [moderator] End this game without a result? It counts for nobody.
    [silent] End this game, in which nobody has moved for a week? It counts as left for the person whose move it waits for.
    [alone] End this game without a result? It cannot be taken up again, and counts as left.
   *[game] End this game without a result? It ends when everybody who sits in it agrees, each with `/kanagawa cancel`; a move takes the question back. People who had left before have lost. To leave by yourself there is `/kanagawa concede`.
    }
cancel-done = Cancelled.
cancel-noted = I have told the others. The game ends when they all agree; until then it goes on.
cancel-wished = **{ $who }** would like to end this game without a result. { $missing ->
    [one] One player has
   *[other] { $missing } players have
    } yet to agree, with `/kanagawa cancel`; a move takes the question back.
error-not-a-member = I am not a member of this server, only my commands are: a game could not be shown here. Somebody who manages this server can invite me as a bot, too; then try again.
error-missing-permissions = I cannot hold a game in this channel: I lack the permission { $permissions }. Somebody who manages this server can grant it to me here; then try again.
permission = { $permission ->
    [create_public_threads] **Create Public Threads**
    [view_channel] **View Channel**
    [send_messages] **Send Messages**
    [send_messages_in_threads] **Send Messages in Threads**
    [embed_links] **Embed Links**
    [attach_files] **Attach Files**
   *[read_message_history] **Read Message History**
}

## Help

command-help = How to begin, every command, and about me
guide-help-begin-title = Kanagawa
guide-help-begin = You are pupils of Master Hokusai. Each round he deals lesson cards; you take a column of them, paint some into your **Print**, one long landscape, and turn the others into tools of your **Studio**.

    Open a table for 2 to 4 players, or play alone. Everything can be clicked: the buttons are under the table, and your own cards are behind **My table**, which only you see. The commands do the same, and suggest what is possible while you type: a number or a word is enough.
guide-help-play-title = Playing
guide-help-play = You take or stay in the School, then place your cards, then are done.

    While you wait for your choice, **My table** takes an **order**: this column, else that one, else stay. It is done as soon as it is your turn, nobody else sees it, and it lapses when another row is dealt. **Undo** takes back your last step, as long as nobody has learnt anything from it. Where it showed a card that only you knew, or ended your turn, **Ask to take it back** asks the others instead. Cards that were dealt or taken face down are never taken back.

guide-help-long-title = A game over days
guide-help-long = `/kanagawa new` takes a `pace`, how much time a turn has, and can give the game a `thread` of its own. Half-way whoever is to move is reminded, as they have chosen and never in their quiet hours.

    When a turn is due, anybody at the table may press **Move on**: the apprentice, a computer player, plays it. After twice the time it does so by itself. Whoever misses three turns in a row leaves a seat that others can **take over**, and may come back as long as nobody has.

    If you have to leave, concede, or ask a friend to sit down instead; both count as leaving. **Play again** invites the others.

guide-help-away-title = Being away
guide-help-away = When you are away, say until when with `/kanagawa notify away:`, such as `3 days` or `Friday`. Until then the clock of your turns stands still in all your games, for at most 30 of any 90 days, and everybody at the table sees it.

    {""}**Pause the game** at **My table** asks everybody at a table; when all agree, the game is paused for 30 days at most, or until anybody moves or presses **Go on**.

    `/kanagawa games` lists your games everywhere, and lets you leave any of them. When everybody has left, a game is over. A game without a time limit, or against Osahito, reminds you after a week without a move; from then on others can end it, and after 30 days without one it ends by itself.

guide-help-look-title = Looking
guide-help-look = Where the game stands, what has happened, and how it ended. **My table** begins with what the others did since your last move; `look` shows any round of the past.
guide-help-mine-title = Your own
guide-help-mine = Your games everywhere, and what you have won. **Challenges** are games against Osahito that are dealt alike for everybody: of the day, of the week, or of any word you choose (`/kanagawa solo`). Your first try at each counts; `/kanagawa stats` has the boards.
guide-help-about-title = About me
guide-help-about = I host games of Kanagawa in channels, threads and direct messages. I read nobody's messages; of you I keep your name, your games, and what you chose with `/kanagawa notify`, until you have me forget it.

    -# An unofficial fan work, made with love for the board game; not affiliated with its authors or publishers.
about = Version { $version } · running since { $since } · { $games ->
    [one] one game is being played
   *[other] { $games } games are being played
    }{ $latency ->
    [none] {""}
   *[other] {" "}· { $latency } ms to Discord
    }
option-help-page = Which page; without it, the first
page-head = ## { $title }
    -# Page { $page } of { $pages }
page-back = ◀ Back
page-on = Next ▶
page-command = `/{ $command }` { $does }

## The rules for players

command-rules = The rules of the game, in eight short pages

guide-rules-aim-title = What it is about
guide-rules-aim = Every **lesson card** has two halves, and you will use only one of them:
    - the upper half is a piece of landscape for your **Print**, the picture you paint from left to right;
    - the lower half is a tool for your **Studio**: a **Landscape** to paint with, a **Brush**, an **Arrow**, a **Hand**, an **Assistant**.

    You begin with a Start tile (one Season, one Landscape, one Arrow) and two Brushes.

    {""}**You score** for every card of your Print, for the longest row of cards of one **Season**, for **Harmony** (the little +1, +2 and −2), and for **Diplomas**. Whoever holds the **Grand Master** at the end has 2 points more. The most points win.

guide-rules-round-title = A round in the School
guide-rules-round = The School has as many columns as there are players. The Grand Master deals a card into each; some lie face up, some face down.

    Then, one after the other from the Grand Master on, you choose:
    - **take a column**, all its cards, and play your turn at once;
    - or **stay**, and hope for more: when all have chosen, another row is dealt to the columns that are left.

    After the third row everybody must take. So must whoever is alone in school already when a row is dealt.

    Face-down cards show their back only, the group they belong to: 🟩 trees, 🟥 characters, 🟨 buildings, 🟦 animals. Some of each group show only land or weather. When you take them, you alone see their front until you place them.

    When all have left, the holder of the **Assistant** becomes Grand Master and begins the next round. In the first round somebody drawn by lot has both.

guide-rules-studio-title = Your turn: the Studio
guide-rules-studio = Place the cards you took in any order. A card can always go to the **Studio**, and what it shows works at once:
    - a **Landscape** (forest, ocean, mountain, plain) is a place for a Brush; a **Joker** serves as any of the four, but costs Harmony;
    - a **Brush** is one more to paint with;
    - an **Arrow** lets you move a Brush once in each of your turns;
    - a **Hand** lets you keep one card for later turns;
    - the **Assistant** comes to you from whoever has it.

    Your turn ends with **Done**. Without Hands all cards must have been placed by then; each Hand lets you keep one.

    A placed card never moves. Slips can be taken back with **Undo** until you are done. A card that only you knew, once placed, and the end of your turn are taken back only if everybody else agrees (**Ask to take it back**). Never taken back is a step that dealt cards, or that took cards lying face down.

guide-rules-print-title = Your turn: the Print
guide-rules-print = To **paint** a card, it wants one or two Landscapes of one kind, such as two mountains. Each must be in your Studio with a Brush on it that has not painted in this turn.

    - A Brush that stands nowhere yet goes onto any empty Landscape, free.
    - A Brush that stands already moves to another empty Landscape for one **Arrow**.
    - Each Brush paints once a turn, wherever it goes afterwards. Each Arrow works once a turn.
    - One Landscape carries one Brush.

    The painted card is added to the right end of your Print. Plan its order: only **neighbours** of one Season make a row. **Storm** cards count as any Season.

    {""}**Paint** at the workbench shows what is possible now, and moves the Brushes for you.

guide-rules-diplomas-title = Diplomas
guide-rules-diplomas = Nineteen Diplomas are on display, in seven groups: trees, buildings, characters, animals, Brushes, Arrows, Landscapes. The first who can show what one asks for may take it; there is one of each.

    You may hold **one of each group**. So when one is offered, you decide:
    - **take it**, and that group is closed for you;
    - or **decline** it, for good, hoping for a better one of the group.

    "3 different" means three kinds, "3 identical" three times the same. Brushes, Arrows and Landscapes are counted in your Studio, the Start tile included.

    Some bring something at once: a **Brush**, the **Assistant**, or a **Storm token**, which turns one card of your Print into a Storm. You need not choose which: at the end it lies where it scores most.

guide-rules-signs-title = What the pictures show
guide-rules-signs = **The School** has the deck on the left, with the back of its next card, and the columns by number. Gold marks what has just come.

    {""}**Everybody's table** bears a crest; whose it is stands below the picture. On it:
    - top right a **pot** of Brushes that stand nowhere yet, the **Arrows** left of all, cards in hand, Diplomas, and in a red seal the points;
    - the **Print**, card by card, a coloured ribbon over each run of a Season. The golden 11 is the goal;
    - the **Studio** with numbered places. A Brush stands on its Landscape, dry when it has painted in this turn;
    - the **Diplomas** and **Storm tokens** that were won;
    - the **Grand Master** in gold and the **Assistant** in green, where they are.

    The row of signs beside a crest is the score: cards of the Print, the longest run, Harmony, Diplomas, Grand Master.

guide-rules-end-title = The end and the score
guide-rules-end = The game ends after the round in which somebody's Print has reached **11 cards**, the Start tile not counted, or in which the last card was dealt.

    You score
    - **1** point for each card of your Print, Start tile included;
    - **1** point for each card of your longest unbroken row of one Season;
    - your **Harmony** in Print and Studio, which can be negative;
    - your **Diplomas**;
    - **2** points for the Grand Master.

    Cards in hand count nothing. A tie is a shared victory. `/kanagawa score` shows everybody's points at any time.

guide-rules-solo-title = Alone against Osahito
guide-rules-solo = **Osahito** is a gifted rival, played by the bot. He always stays as long as he can and takes the column you leave. He does not place as you do: what comes early is painted, whatever it demands, and symbols go to his Studio.

    - You are always the first, and you have the 2 points of the Grand Master. Assistants do nothing for you, but they score for him.
    - **Diplomas** are not offered: claim one whenever you meet it. You may also **upgrade** to a better one of the group. The old one goes back, with what it brought: a Storm token, or a Brush that stands nowhere. Mind that Osahito may take it.
    - He takes the best Diplomas he meets at the end of each of his moves, but never yours.
    - He scores for his most frequent Season wherever it lies, for Storms, and for every Hand and Assistant.

    After the last round you have one last decision: claim what you can, then **pass**. You win with more points than he has. It is meant to be hard.

## The overview

command-games = My games, everywhere, and how to leave any of them (only you see it)
command-log = What has happened in this channel's game, round by round (only you see it)
games-none = You sit in no game at the moment. /kanagawa new opens one, /kanagawa solo starts one against Osahito.
games-head = ### { $count ->
    [one] Your game
   *[other] Your { $count } games
    }
place-private = our direct messages
# $link is "none" where there is no message to lead to.
games-line = - { $mine ->
    [yes] **Your turn** in { $channel }, round { $round }
   *[no] { $channel }, round { $round }: the turn of { $who }
    }{ $until ->
    [none] {""}
   *[other] {" "}· ⏳ due { $until }
    }{ $counts ->
    [none] {""}
   *[other] {" "}· counts if finished { $counts }
    }{ $link ->
    [none] {""}
   *[other] {" "}· [to the table]({ $link })
    }
games-away = - { $channel }, round { $round }: the apprentice plays on for you, until you press **I'm back**{ $link ->
    [none] {""}
   *[other] {" "}· [to the table]({ $link })
    }
games-ends = · { $why ->
    [cut-off] ⚠️ I am kept out of its place, and the game waits. It ends { $ends }, unless I can write there before.
   *[silent] ⚠️ It ends { $ends }, unless somebody moves before.
}
leave-which = Leave one of these games…
leave-row = { $number } · { $place }
leave-where = **The game** in { $place }
leave-question = { $what ->
    [lobby] Leave the lobby? { $others ->
        [0] Nobody is left there then, so it closes.
       *[other] The others stay.
    }
   *[away] Give up your seat for good? The apprentice plays on for you, and you cannot come back.
}
leave-yes = { $what ->
    [lobby] Yes, leave the lobby
   *[game] Yes, leave the game
}
leave-done = { $what ->
    [lobby] You have left the lobby.
   *[game] You have left the game.
}{ $over ->
    [yes] {" "}It is over, for nobody is left.
   *[no] {""}
}
place-unknown = a place that I cannot see
games-lobby = - { $channel }: a lobby with { $players ->
    [one] one player
   *[other] { $players } players
    }{ $link ->
    [none] {""}
   *[other] {" "}· [to the lobby]({ $link })
    }
log-head = ### Round { $round }
    -# Page { $page } of { $pages }
log-empty = Nothing has happened yet.

## Past games

command-poster = The poster of a past game of this channel, for everybody to see
command-replay = A past game of this channel as an animation, card by card
option-poster-game = Which game; without it, the last one
option-replay-game = Which game; without it, the last one
error-no-past-game = No game has been played to its end in this channel yet.
error-which-game = Say which game, by its number:
    { $choices }
error-cannot-draw = The picture could not be drawn. Whoever runs the bot finds the reason in its log.

## Challenges

challenge-name = { $kind ->
    [day] Challenge of the day { $what }
    [week] Challenge of the week { $what }
   *[word] The word “{ $what }”
}
challenge-started = **{ $name }**: your game begins, and its table appears below. { $counts ->
    [no] Your try that counts is over; this one is for yourself, and no board or statistics count it.
   *[yes] This is your one try that counts{ $until ->
        [none] {""}
       *[other] {""}, if you finish it by { $until }
    }.
}{ $seen ->
    [yes] {" "}Those who read along here see your cards; in a direct message with me nobody does.
   *[no] {""}
}
challenge-card = Kanagawa · { $name }
    { $crest } { $points } : { $osahito } Osahito { $won ->
        [yes] 🏆
       *[no] 👺
    }{ $counts ->
        [yes] {""}
        [late] {" "}(finished too late to count)
       *[no] {" "}(another try)
    }
    { $seasons }
challenge-head = ### { $name }
    -# { $where ->
        [server] Those of this server
       *[everywhere] All servers
    } · { $tries ->
        [one] one try
       *[other] { $tries } tries
    } that { $tries ->
        [one] counts
       *[other] count
    }
challenge-line = { $place } **{ $name }** { $points } : { $osahito }{ $won ->
    [yes] {" "}🏆
   *[no] {""}
}
error-seed-word = That word has nothing to be seen in it. Type letters, digits or signs.
error-seed-or-challenge = Choose either a word or a challenge, not both.
error-challenge-goes-on = You play this already, in { $channel }. Finish it first: only your first try counts.{ $link ->
    [none] {""}
   *[other] {" "}[To the table]({ $link })
}
error-challenge-runs = Others can still try this challenge, so its pictures, points and log would tell them too much. You can see them when your own try that counts is over{ $opens ->
    [never] {""}
   *[other] {""}, and everybody can from { $opens } on
}.

## Forgetting

command-forget = Forget me: my choices, and my name in all games (asks first)
forget-question = Forget you? Your settings, ratings and statistics are removed, and in past games and results you become “a former player”. That cannot be taken back. Your tries at challenges no longer count as yours, and you cannot try those challenges again. { $games ->
    [0] {""}
    [one] You also leave the game you are in.
   *[other] You also leave the { $games } games you are in.
}
button-forget = Yes, forget me
forgotten = You are forgotten. Backups that were made of my database before still hold your games and your name: whoever runs me can delete them.
former-player = a former player
nameless = { $number ->
    [0] A player without a name
   *[other] Player { $number }
}

## Statistics

command-stats = Games, wins and best scores in this server, and who leads (only you see it)
option-stats-show = What to show; without it, your own games
stats-show-mine = My games
stats-show-leaderboard = The leaderboard
stats-show-solo = The best against Osahito
stats-show-day = The challenge of the day
stats-show-week = The challenge of the week
option-stats-seed = The board of a word that was played alone
option-stats-share = Show everybody here your result in that challenge
error-nothing-to-share = You have not played that challenge to its end, so there is nothing to show. `/kanagawa solo` begins it.
option-stats-everywhere = Of all servers, not of this one alone
stats-counts = -# A game counts for the people who began it. A person who leaves, hands the seat over or lets their last turn run out has lost it. Of a challenge the first try counts.
stats-head = ### Your games
stats-none = None of your games counts yet.
stats-games = { $sort ->
    [solo] **Against Osahito**
   *[table] **Against others**
    }: { $games ->
    [one] one game
   *[other] { $games } games
    }, won { $wins }{ $left ->
    [0] {""}
   *[other] {" "}({ $left } of them left before the end)
    }
stats-best = - Best score { $points }, Diplomas in all { $diplomas }
stats-run = - Longest run { $run }{ $run ->
    [0] {""}
   *[other] {" "}({ $season })
    }
stats-season = - Favourite Season: { $season }
stats-nobody = Nobody yet.
stats-leaderboard-head = ### The leaderboard
    -# The rating counts how strong the others were. A place takes { $least } games. A person who leaves a game, or hands their seat over, is last in it.
stats-leaderboard-line = { $place } **{ $name }** { $value } · { $games } games
stats-solo-head = ### The best against Osahito
stats-solo-line = { $place } **{ $name }** { $value } · { $games ->
    [one] one game
   *[other] { $games } games
    }

## Playing

command-table = Show this channel's table again, at the bottom
command-hand = My table: my cards, my picture, what I can do (only you see it)
command-look = Look at one player's picture, large (only you see it)
command-score = Everybody's points so far, and where they come from (only you see it)
command-stay = Stay in school and wait for another row
command-take = Take a column of cards and leave school
command-studio = Put a card into your Studio
command-print = Paint a card: add it to your Print
command-brush = Place a Brush on a Landscape, or move one for an Arrow
command-diploma = Take, decline or claim a Diploma
command-done = End your turn; you keep as many cards in hand as you may
command-undo = Take back the last step of your turn
command-concede = Leave the game for good; the apprentice plays on for you (asks first)
option-look-round = As it was at the end of this round; without it, as it is now
option-look-player = Whose picture; without it your own
option-take-column = Which column
option-studio-card = Which card
option-print-card = Which card, and with which Brushes
option-brush-move = Which Brush, and where to
option-diploma-choice = Which Diploma to take, or which kind to decline

# The public message

board-title = ## Kanagawa · round { $round }
    -# { $deck ->
        [0] The deck is empty: this is the last round.
        [1] One card is left in the deck.
       *[other] { $deck } cards are left in the deck.
    }
board-people = -# { $people }
look-round = { $round ->
    [0] { $who }
   *[other] { $who } after round { $round }
}
board-title-over = ## Kanagawa · the game is over
board-ended = { $reason ->
    [lapsed] Nobody has moved in this game for a month, so it ends without a result. The points so far:
    [lost] I could not reach this place for two weeks, so the game has ended without a result. The points so far:
    [abandoned] Everybody has left this game, so it ends without a result. The points so far:
   *[cancelled] This game was cancelled, so it ends without a result. The points so far:
}
turn-choice = ### { $who } is to choose
    Take a column of cards, or stay for another row.
turn-take = ### { $who } is to choose
    Nobody can stay any more: take a column of cards.
turn-place = ### { $who } is placing cards
    { $cards ->
        [0] All are placed.
        [1] One card to paint or to put into the Studio, at **My table**.
       *[other] { $cards } cards to paint or to put into the Studio, at **My table**.
    }
turn-diplomas = ### { $who } has earned a Diploma
    Take it, or decline it for good, at **My table**.
turn-last = ### { $who } has the last decision
    Claim Diplomas, or end the game.
button-ask = Ask to take it back
bench-ask = 🙏 Your last step showed the others a card or ended your turn. You can ask them to let you take it back.
button-withdraw = Withdraw the order
button-allow = Allow
button-refuse = Refuse
button-sit = Sit down
button-not-sit = No
button-again = Play again
again-invited = { $others } **{ $who }** would like to play again. **Join** above, or **Play again** below the last game, seats you; nobody sits down who does not press.
again-joined = You sit at the new table.{ $link ->
    [none] {""}
   *[other] {" "}[It is here]({ $link })
    }
pick-order = 📜 Leave an order for your turn …
pick-order-next = 📜 And if that is gone …
order-else = , else
order-given = 📜 **Your order**: { $order }, else you are asked. It is kept until another row is dealt, and only you see it.
order-noted = 📜 Noted: it is done as soon as it is your turn.
order-withdrawn = 📜 Withdrawn.
ask-undo = { $others }: **{ $who }** asks to take back their last step, and to go on from there. Whatever came after it is taken back, too. It needs the consent of everybody else who sits at the table.
ask-friend = { $others }: **{ $who }** asks you to sit down for them and play on.
ask-sent = I have asked in the channel. The second button there withdraws the question.
ask-not-sent = Discord would not let me post your question just now. Ask again in a moment.
ask-waiting = Noted. The others are still to answer.
ask-ended = { $why ->
    [over] ⏳ The game has ended, and this question with it.
    [left] ⏳ This question has passed: who asked it does not sit there any more.
    [anew] ⏳ This question has passed: something else is asked instead.
    [withdrawn] ⏳ This question has been withdrawn.
   *[moved] ⏳ This question has passed: the table has moved on. You can ask again for what can still be taken back.
}
ask-answered-withdraw = ✖️ **{ $who }** has withdrawn this question.
ask-agreed = ✅ { $who }
ask-answered-allow = ↩️ The last step of **{ $whose }** is taken back, with everybody's consent: they go on from there.
ask-answered-refuse = ✖️ **{ $who }** does not want that taken back.
ask-answered-sit = 🪑 **{ $who }** sits down and plays on for **{ $whose }**.
ask-answered-notsit = ✖️ Nobody sits down.
option-concede-friend = Who is to sit down for you; they are asked first
error-friend-bot = A bot cannot sit down for you.
error-friend-absent = They cannot see this channel, so they could not sit down here. Name somebody who can.
error-friend-seated = They have a seat at this table, or had one. Ask somebody who has not sat here.
error-friend-challenge = A challenge is everybody's own, so nobody can sit down for you in it.
turn-deadline = { $late ->
    [yes] ⌛ This turn was due { $until }. Anybody at the table may press **Move on**: then the apprentice, a computer player, plays it.
   *[no] -# ⏳ This turn is due { $until }.
}
seat-free = 🪑 { $who } has left: the apprentice plays on until somebody takes the seat over.
seat-absent = -# 🏖️ { $who } is away until { $until }; the clock of their turns stands still.
turn-paused = ⏸️ **The game is paused** with everybody's consent, until { $until } at most. No turn is due meanwhile. A move, or **Go on**, ends the pause.
turn-pausing = ⏸️ { $who } would like to pause the game. It is paused as soon as everybody who sits here agrees; a move ends the question.
button-pause = Pause the game
button-pause-agree = Agree to the pause
button-pause-refuse = No pause
button-go-on = Go on
pause-wanted = ⏸️ Noted. The table in the channel asks the others; the game is paused as soon as all of them agree.
pause-begun = ⏸️ The game is paused. A move, or **Go on** below the table, ends that.
games-paused = · ⏸️ paused until { $until }
games-absent = · 🏖️ away until { $until }
button-move-on = Move on
button-take-over = Take over this seat ({ $who })
button-back-again = I'm back
event-by = { $event } { $maker ->
    [order] (as ordered ahead)
   *[apprentice] (by the apprentice)
}
turn-next = -# Then: { $who }
result-won = ### 🏆 { $who } wins!
result-shared = ### 🏆 { $who } share the victory!
score-line = { $who } **{ $total }** = { $parts }
score-print = Print { $points }
score-season = Season { $points }
score-harmony = Harmony { $points }
score-diplomas = Diplomas { $points }
score-grand-master = Grand Master { $points }
score-symbols = symbols { $points }
notice-reminder = { $crest } { $mention }, half of the time for your turn is over.{ $link ->
    [none] {""}
   *[other] {" "}[To the table]({ $link })
}
notice-silent = { $crest } { $mention }, nobody has moved in this game for a week. It goes on with the next move; without one it ends by itself { $ends }, and from now on anybody at the table can end it with `/kanagawa cancel`, or, if you play alone, anybody here.{ $link ->
    [none] {""}
   *[other] {" "}[To the table]({ $link })
}
notice-deadline = ⏳ Due { $until }.
command-notify = How you are told that it is your turn, and when not
option-notify-how = A mention in the channel, a direct message, or nothing
option-notify-quiet = Hours in which nothing is sent, such as 22-7 or 22:30-07:00; off for none
option-notify-zone = Your time zone: type your city, a zone such as Europe/Berlin, or UTC+2
option-notify-mute = Whether to leave out the game of this channel
notify-how = { $how ->
    [mention] a mention in the channel
    [dm] a direct message
   *[off] nothing
}
notify-chosen = When it is your turn, and when a game is over, you get **{ $how }**.
    { $quiet ->
        [yes] Quiet hours: { $start } to { $end }; what falls into them waits until they end.
       *[no] No quiet hours.
    } { $known ->
        [yes] Time zone: { $zone }, where it is { $time } now.
       *[no] I do not know your time zone { $zone } any more, so I go by UTC, where it is { $time } now. Choose it again with the option `zone`.
    }{ $muted ->
        [yes] {" "}The game of this channel is muted.
       *[no] {""}
    }
notify-away = 🏖️ You are **away** until { $until } ({ $left }): until then the clock of your turns stands still in all your games, and I tell you nothing. You may move all the same. `/kanagawa notify away:off` when you are back earlier.
notify-how-to = -# Change it with the options `how`, `quiet`, `zone`, `mute` and `away` of `/kanagawa notify`.
option-notify-away = Until when you are away: 3 days, Friday, 2026-12-24 18:00; off when you are back
error-absence = I do not understand until when you are away, or it has passed. Type it such as `3 days`, `Friday` or `2026-12-24 18:00`, or `off`.
error-absence-too-long = That would be until { $meant }. You can be away until { $until } at most: in any 90 days the others wait 30 days for you. Nothing has been changed.
error-absence-used-up = You have been away for 30 of the last 90 days, for which the others waited. Nothing has been changed; if you cannot go on, leave a game, or ask a friend to sit down (`/kanagawa concede`).
notify-dm-test = From now on I tell you here when it is your turn, and when a game is over.
error-dms-closed = I cannot write to you: your privacy settings allow no direct messages from this server's members. Nothing has been changed.
error-dm-failed = Discord would not let me write to you just now. Nothing has been changed; try again in a moment.
error-quiet-hours = I do not understand these quiet hours. Type them such as `22-7` or `22:30-07:00`, or `off`.
error-time-zone = I do not know this time zone. Type a large city near you and choose one of those that appear, or an offset such as `UTC+2`.
error-which-zone = That can be one of several time zones. Which one is yours? Type its name:
    { $choices }
notice = { $crest } { $mention }, it is your turn.{ $link ->
    [none] {""}
   *[other] {" "}[To the table]({ $link })
}
notice-ended = 🏁 { $mention }, the game is over.{ $link ->
    [none] {""}
   *[other] {" "}[To the result]({ $link })
}

# Buttons and lists

button-my-table = My table
button-back = Back
button-refresh = Refresh
button-display = Diplomas
button-undo = Undo
button-done = { $kept ->
    [0] Done
   *[other] Done, keep { $kept }
}
button-concede = Yes, leave the game
stay = Stay
stay-detail = wait for another row
take = Take { $column }
column-empty = no card
paint = Paint { $card }
studio = { $card } into the Studio
studio-detail = { $studio } · Print: { $wants }
numbered = { $number } · { $name }
brush-new = Place a new Brush
brush-new-detail = { $count ->
    [1] one Brush is unplaced; placing is free
   *[other] { $count } Brushes are unplaced; placing is free
}
brush-from = Move the Brush from { $place }
brush-fresh = for an Arrow
brush-painted = for an Arrow; it has painted in this turn
brush-to = to { $place }
step-place = Brush on { $place }
step-move = move { $source } to { $target }
step-paint = paint from { $places }
diploma-take = Take the Diploma: { $diploma }
diploma-claim = Claim { $diploma }
diploma-decline = { $count ->
    [one] Decline this Diploma
   *[other] Decline these { $category }
}
pass = { $claimable ->
    [0] End the game
   *[other] End the game without claiming
}
claimable = 🏅 You can claim now: { $diplomas }.
pick-paint = 🎨 Paint a card …
pick-studio = 🪵 Put a card into the Studio …
pick-brush = 🖌️ Place or move a Brush …
pick-target = Where to?
pick-claim = 🏅 Claim a Diploma …
more = More …

# My table

since = **Since your last move**
    { $happened }

bench-waiting = Waiting for { $who }.{ $before ->
    [-1] {""}
    [0] {" "}You choose next.
    [1] {" "}You choose after one more.
   *[other] {" "}You choose after { $before } more.
}
bench-display = **{ $category }**: { $diplomas }
bench-turn = **Your turn.** Each card is either painted into your Print or put into your Studio, in any order. { $cards ->
    [0] All are placed: press **Done**.
   *[other] {""}
}
bench-choice = **Your turn.** Take a column{ $stay ->
    [yes] , or stay and choose again when another row has been dealt:
   *[no] :
}
bench-column = **{ $column }** { $cards }
bench-last = **The last decision.** Claim Diplomas, or end the game.
bench-means = -# Brushes: { $unplaced } to place, { $standing } standing · Arrows left: { $arrows } · Hands: { $hands } (cards you may keep)
bench-card = **{ $number } · { $card }** · Studio: { $studio }
    -# { $how }
bench-ready = 🎨 can be painted: its Brushes are in place.
bench-plan = 🎨 can be painted: { $steps }.
lack-landscapes = ✖️ cannot be painted: it wants { $landscape }, your Studio has { $present ->
    [0] none
   *[other] only { $present }
}.
lack-brushes = ✖️ cannot be painted: it wants { $needed ->
    [1] a Brush
   *[other] { $needed } Brushes
} that { $needed ->
    [1] has
   *[other] have
} not painted in this turn, you have { $present ->
    [0] none
   *[other] only { $present }
}.
lack-arrows = ✖️ cannot be painted: moving the Brushes takes { $needed ->
    [1] an Arrow
   *[other] { $needed } Arrows
}, you have { $present ->
    [0] none left
   *[other] only { $present } left
}.
lack-room = ✖️ cannot be painted: there is no empty Landscape to move a Brush to.
bench-too-many = { $keep ->
    [0] ⚠️ Place every card before you are done: without a Hand in your Studio you keep none.
   *[other] ⚠️ Place { $over } more before you are done: you may keep { $keep }.
}
bench-offer = ### 🏅 You have earned a Diploma
bench-offer-line = - **{ $number }** · { $diploma }
bench-offer-declining = You can hold one of each group, so taking one closes its group. **Declining is for good**: what you decline is never offered to you again, only better ones of its group.
bench-stale = ⏳ The table had moved on. This is how it stands now; choose again.
bench-undone = ↩️ Taken back.

# Answers

table-shown = The table is at the bottom of the channel now.
not-shown = What you did counts, but Discord would not let me show it just now. `/kanagawa table` shows it.
not-shown-permissions = What you did counts, but I cannot show it here: I lack the permission { $permissions }. Ask a moderator to grant it, then type `/kanagawa table`.
concede-question = { $others ->
    [0] Leave the game for good? You are the last person at the table, so it ends without a result.
   *[other] Leave the game for good? The apprentice, a computer player, plays on for you, until somebody else takes the seat over. To let a friend play on instead, name one with the option `friend` of `/kanagawa concede`.
}{ $challenge ->
    [yes] {" "}Of a challenge the first try is the one that counts, also one that was not finished.
   *[no] {""}
}
conceded = You have left the game.
error-unknown-control = That button is from another version of me. `/kanagawa table` shows the newest table.
error-decide-first = First decide on the Diplomas you are offered: **My table** shows them.
error-too-many-cards = { $keep ->
    [0] You still hold cards. Place every card before you are done: without a Hand in your Studio you keep none.
   *[other] You hold too many cards. Place { $over } more before you are done: you may keep { $keep }.
}
error-which = That could mean several things. Say which:
    { $choices }
error-no-such-choice = That is not possible now. This is:
    { $choices }
error-nothing-to-choose = There is nothing of that kind you could do now. **My table** shows what you can do.
error-no-such-round = The end of that round cannot be found any more. /kanagawa log tells what happened in it.
error-round-to-come = That round is yet to come: round { $round } is the newest.
error-which-player = Say whose picture, by number or name:
    { $choices }

## Starting the program: seen by whoever runs it

error-store = the database cannot be used
error-store-folder = there is no data folder
error-store-in-use = the database is in use
error-store-newer = the database is newer than this program
error-store-locked = the database is locked
error-store-unusable = the database cannot be used
error-store-backup = no backup was made
