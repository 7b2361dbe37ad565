module Loud : Stack.Printer = struct
  let print_item text = print_endline (String.uppercase_ascii text)
end

let run_stack () =
  let stack = Stack.create () in
  Stack.push stack "a";
  Loud.print_item (Stack.pop stack)

let () = run_stack ()
