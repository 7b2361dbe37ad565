class Greeter is Named
  let _name: String

  new create(name': String) =>
    _name = name'

  fun name_of(): String => _name

  fun greet_all(env: Env) =>
    env.out.print(name_of() + Punctuation.mark())

trait Polite
  fun bow(): None

type Greeting is (Greeter | None)
