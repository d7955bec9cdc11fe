### All texts of the bot in English. One section for each part of it; the IDs are stable.

## Errors

error-incident = Sorry, something went wrong on our side, and it has been noted as incident { $incident }. What you did may have counted: look at the table with `/kanagawa table`.
error-commands-changed = This command has changed. Reload Discord (Ctrl+R, or restart the app) and try again.

## Commands

command-kanagawa = Paint a landscape with Hokusai's school

## Names of things

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

family = { $family ->
    [T] tree
    [C] character
    [B] building
   *[A] animal
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

card-back = a face-down { family } card

demand = { $count ->
    [1] 1 { $landscape }
   *[other] { $landscape }
}

print-half = { $subject }, wants { $demand }{ $harmony ->
    [0] {""}
   *[other] , Harmony +{ $harmony }
}

studio-half = { $harmony ->
    [0] { $shown }
   *[other] { $shown }, Harmony { $sign }
}

card-whole = { $print } · Studio: { $studio }

place = place { $place }{ $kind ->
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
