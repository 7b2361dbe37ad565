; Tags of an OCaml interface. The reference gives a usable capture name to the
; values only; types, modules and references to them are left to the lexer.

(value_specification (value_name) @name.definition.function)
