module Shop.View exposing (update, view)

import Shop.Model exposing (Item, Msg(..), emptyCart, priceOf)


update : Msg -> List Item -> List Item
update msg cart =
    case msg of
        Added item ->
            item :: cart

        Cleared ->
            emptyCart


view : List Item -> String
view cart =
    String.fromInt (priceOf cart)
