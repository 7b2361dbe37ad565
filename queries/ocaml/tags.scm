; Tags of an OCaml implementation. Definitions stand before references, because
; the operator of a definition is both.

(module_definition (module_binding (module_name) @name.definition.module))
(module_type_definition (module_type_name) @name.definition.interface)

[
  (class_definition (class_binding (class_name) @name.definition.class))
  (class_type_definition
    (class_type_binding (class_type_name) @name.definition.class))
]
(method_definition (method_name) @name.definition.method)

; A binding is a function if it has parameters, if its body is a function, or
; if it binds an operator.
[
  (value_definition
    (let_binding
      pattern: (value_name) @name.definition.function
      (parameter)))
  (value_definition
    (let_binding
      pattern: (value_name) @name.definition.function
      body: [(fun_expression) (function_expression)]))
  (value_definition
    (let_binding
      pattern: (parenthesized_operator (_) @name.definition.function)))
  (external (value_name) @name.definition.function)
]

(module_path (module_name) @name.reference.module)
(module_type_path (module_type_name) @name.reference.implementation)
[
  (class_path (class_name) @name.reference.class)
  (class_type_path (class_type_name) @name.reference.class)
]

; A call is an application or the sending of a message.
(application_expression
  function: (value_path (value_name) @name.reference.call))
(method_invocation (method_name) @name.reference.call)

; A function may also stand at the applying end of "@@" or "|>".
(infix_expression
  left: (value_path (value_name) @name.reference.call)
  operator: (concat_operator) @_operator
  (#eq? @_operator "@@"))
(infix_expression
  operator: (rel_operator) @_operator
  right: (value_path (value_name) @name.reference.call)
  (#eq? @_operator "|>"))

; Every operator is a call of itself.
[
  (add_operator)
  (and_operator)
  (assign_operator)
  (concat_operator)
  (hash_operator)
  (indexing_operator)
  (let_and_operator)
  (let_operator)
  (match_operator)
  (mult_operator)
  (or_operator)
  (pow_operator)
  (prefix_operator)
  (rel_operator)
  (sign_operator)
] @name.reference.call
