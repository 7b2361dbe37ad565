; Tags of a Fortran file: definitions only, so references come from the lexer.

(module_statement (name) @name.definition.class)

[
  (function_statement name: (name) @name.definition.function)
  (subroutine_statement name: (name) @name.definition.function)
  (module_procedure_statement name: (name) @name.definition.function)
]
