type 'a t = { mutable items : 'a list }

exception Empty_stack

module type Printer = sig
  val print_item : string -> unit
end

let create () = { items = [] }

let push stack item = stack.items <- item :: stack.items

let pop stack =
  match stack.items with
  | [] -> raise Empty_stack
  | item :: rest ->
      stack.items <- rest;
      item

class counter = object
  val mutable count = 0
  method increment = count <- count + 1
end
