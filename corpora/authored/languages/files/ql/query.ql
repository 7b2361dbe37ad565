import library

from Shapes::SmallShape shape
where bigShape(shape) and not shape.isSquare()
select shape
