use "collections"

actor Main
  new create(env: Env) =>
    let greeter = Greeter("world")
    greeter.greet_all(env)

interface Named
  fun name_of(): String

primitive Punctuation
  fun mark(): String => "!"
