(** A stack. *)

type 'a t

exception Empty_stack

val create : unit -> 'a t
val push : 'a t -> 'a -> unit
val pop : 'a t -> 'a

module type Printer = sig
  val print_item : string -> unit
end
