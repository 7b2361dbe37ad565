; Tags of an Elixir file. Definitions are ordinary macro calls in this grammar,
; told apart by the name of the macro.

(call
  target: (identifier) @_macro
  (arguments (alias) @name.definition.module)
  (#any-of? @_macro "defmodule" "defprotocol"))

; The head of a function is a bare name, a call, or a call with a guard.
(call
  target: (identifier) @_macro
  (arguments
    [
      (binary_operator
        left: (call target: (identifier) @name.definition.function)
        operator: "when")
      (call target: (identifier) @name.definition.function)
      (identifier) @name.definition.function
    ])
  (#any-of? @_macro
    "def" "defp" "defdelegate" "defguard" "defguardp"
    "defmacro" "defmacrop" "defn" "defnp"))

; Any call is a reference, those above and special forms included, and so is the
; name at the receiving end of a pipe.
[
  (call
    target: [
      (identifier) @name.reference.call
      (dot right: (identifier) @name.reference.call)
    ])
  (binary_operator
    operator: "|>"
    right: (identifier) @name.reference.call)
]

(alias) @name.reference.module
