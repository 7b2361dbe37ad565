/** Only the enhancement profile reads this language. */
module Shapes {
  class SmallShape extends int {
    SmallShape() { this in [1 .. 4] }

    predicate isSquare() { this = 4 }
  }
}

predicate bigShape(Shapes::SmallShape shape) { shape > 2 }
