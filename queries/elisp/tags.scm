; Tags of an Emacs Lisp file: definitions only, so references come from the lexer.

; A macro is used like a function, so it is tagged like one.
[
  (function_definition name: (symbol) @name.definition.function)
  (macro_definition name: (symbol) @name.definition.function)
]
