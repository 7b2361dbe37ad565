; Tags of a Lua file. Of a dotted name only the last part counts.

; A function is declared, assigned as the first value to the first variable, or
; stored under a key of a table.
[
  (function_declaration
    name: [
      (identifier) @name.definition.function
      (dot_index_expression field: (identifier) @name.definition.function)
    ])
  (assignment_statement
    (variable_list
      . name: [
        (identifier) @name.definition.function
        (dot_index_expression field: (identifier) @name.definition.function)
      ])
    (expression_list . value: (function_definition)))
  (table_constructor
    (field
      name: (identifier) @name.definition.function
      value: (function_definition)))
]

; A colon instead of the last dot makes it a method.
(function_declaration
  name: (method_index_expression method: (identifier) @name.definition.method))

(function_call
  name: [
    (identifier) @name.reference.call
    (dot_index_expression field: (identifier) @name.reference.call)
    (method_index_expression method: (identifier) @name.reference.method)
  ])
