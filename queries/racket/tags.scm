; Tags of a Racket file.

; Only the form with a parameter list defines a function.
(list
  . (symbol) @_form
  . (list . (symbol) @name.definition.function)
  (#any-of? @_form "define" "define/contract"))

; A list that starts with a symbol is a call, special forms included.
(list . (symbol) @name.reference.call)
