module Shop.Model exposing (Item, Msg(..), emptyCart, priceOf)


type alias Item =
    { name : String
    , cents : Int
    }


type Msg
    = Added Item
    | Cleared


emptyCart : List Item
emptyCart =
    []


priceOf : List Item -> Int
priceOf items =
    List.sum (List.map .cents items)
