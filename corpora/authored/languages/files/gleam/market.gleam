import basket.{type Basket, type Fruit, Apple, Pear, add_fruit}
import gleam/io

fn ripe_pear() -> Fruit {
  Pear(ripe: True)
}

pub fn fill_basket(start: Basket) -> Basket {
  start
  |> add_fruit(Apple)
  |> add_fruit(ripe_pear())
}

pub fn main() {
  basket.empty_basket()
  |> fill_basket
  |> io.debug
}
