import gleam/list

pub type Fruit {
  Apple
  Pear(ripe: Bool)
}

pub type Basket =
  List(Fruit)

pub const capacity = 10

pub fn empty_basket() -> Basket {
  []
}

pub fn add_fruit(basket: Basket, fruit: Fruit) -> Basket {
  case list.length(basket) < capacity {
    True -> [fruit, ..basket]
    False -> basket
  }
}
