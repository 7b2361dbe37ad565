import library.{Book, Catalogue}

def lendAll(books: Seq[Book], reader: String): Int =
  books.count(book => book.lendTo(reader))

class Librarian(val name: String) {
  def work(): Unit = lendAll(Catalogue.emptyShelf, name)
}

println(lendAll(Seq(Book("One", 10)), "ann"))
