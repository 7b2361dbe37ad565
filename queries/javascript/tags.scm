; Tags of a JavaScript file, with or without JSX.

; A constructor is named after its class already, so it is no method of its own.
(method_definition
  name: (property_identifier) @name.definition.method
  (#not-eq? @name.definition.method "constructor"))

[
  (class_declaration name: (_) @name.definition.class)
  (class name: (_) @name.definition.class)
]

; A function is defined by its own name, or by what a function value is bound
; to: a variable, an assignment target, or a key of an object literal.
[
  (function_declaration name: (identifier) @name.definition.function)
  (function_expression name: (identifier) @name.definition.function)
  (generator_function_declaration name: (identifier) @name.definition.function)
  (generator_function name: (identifier) @name.definition.function)
  (lexical_declaration
    (variable_declarator
      name: (identifier) @name.definition.function
      value: [(function_expression) (arrow_function)]))
  (variable_declaration
    (variable_declarator
      name: (identifier) @name.definition.function
      value: [(function_expression) (arrow_function)]))
  (assignment_expression
    left: [
      (member_expression property: (property_identifier) @name.definition.function)
      (identifier) @name.definition.function
    ]
    right: [(function_expression) (arrow_function)])
  (pair
    key: (property_identifier) @name.definition.function
    value: [(function_expression) (arrow_function)])
]

; Loading a module is not a use of a function called "require". The call itself
; is held too: only then does the callee of a tagged template come before the
; same template as a constructor, as in: new tag`text`.
((call_expression function: (identifier) @name.reference.call) @_call
  (#not-eq? @name.reference.call "require"))

(call_expression
  function: (member_expression property: (property_identifier) @name.reference.call)
  arguments: (_))

; The constructor may be any expression; its whole text is the name.
(new_expression constructor: (_) @name.reference.class)
