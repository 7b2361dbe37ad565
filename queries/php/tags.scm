; Tags of a PHP file. Interfaces, traits and enumerations have none.

(class_declaration name: (name) @name.definition.class)

[
  (function_definition name: (name) @name.definition.function)
  (method_declaration name: (name) @name.definition.function)
]

; A class is used by "new" with a qualified name or with a variable.
(object_creation_expression
  [
    (variable_name (name) @name.reference.class)
    (qualified_name (name) @name.reference.class)
  ])

; A call of a plain unqualified name is not held. A called variable keeps its
; dollar sign, because the whole variable is the name.
[
  (function_call_expression
    function: [
      (variable_name (name)) @name.reference.call
      (qualified_name (name) @name.reference.call)
    ])
  (member_call_expression name: (name) @name.reference.call)
  (scoped_call_expression name: (name) @name.reference.call)
]
