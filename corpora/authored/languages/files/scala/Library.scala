package library

trait Lendable {
  def lendTo(reader: String): Boolean
}

case class Book(title: String, pages: Int) extends Lendable {
  def lendTo(reader: String): Boolean = Catalogue.mark(this, reader)
}

object Catalogue {
  private var lent: Map[Book, String] = Map.empty

  def mark(book: Book, reader: String): Boolean = {
    lent += (book -> reader)
    true
  }

  type Shelf = List[Book]
  val emptyShelf: Shelf = Nil
}
