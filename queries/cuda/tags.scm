; Tags of a CUDA file: types, functions and kernels, what is called and launched, and the types that are
; named.

; A type counts where its body is given.
(class_specifier name: (type_identifier) @name.definition.class body: (_))
(struct_specifier name: (type_identifier) @name.definition.class body: (_))
(union_specifier name: (type_identifier) @name.definition.class body: (_))
(enum_specifier name: (type_identifier) @name.definition.type body: (_))
(type_definition declarator: (type_identifier) @name.definition.type)
(alias_declaration name: (type_identifier) @name.definition.type)
(preproc_function_def name: (identifier) @name.definition.macro)

; Prototypes and definitions share this node.
(function_declarator
  declarator: [(identifier) (field_identifier)] @name.definition.function)
(function_declarator
  declarator: (qualified_identifier name: (identifier) @name.definition.method))

; A launch is a call with the sizes of its grid.
(call_expression
  function: [
    (identifier) @name.reference.call
    (qualified_identifier name: (identifier) @name.reference.call)
    (field_expression field: (field_identifier) @name.reference.call)
    (template_function name: (identifier) @name.reference.call)
  ])

[
  (base_class_clause (type_identifier) @name.reference.type)
  (declaration type: (type_identifier) @name.reference.type)
  (field_declaration type: (type_identifier) @name.reference.type)
  (function_definition type: (type_identifier) @name.reference.type)
  (new_expression type: (type_identifier) @name.reference.type)
  (parameter_declaration type: (type_identifier) @name.reference.type)
  (type_descriptor type: (type_identifier) @name.reference.type)
]
