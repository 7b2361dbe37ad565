; Tags of a Haskell file: definitions only, so references come from the lexer.

; Equations with parameters and bindings without are functions; the signature
; above them is tagged once more, as a type.
[
  (function (variable) @name.definition.function)
  (bind (variable) @name.definition.function)
]
(signature (variable) @name.definition.type)
