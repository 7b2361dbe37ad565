; Tags of a C file: definitions only, so references come from the lexer.

; A structure counts where its body is given, a union where it types a variable.
[
  (struct_specifier
    name: (type_identifier) @name.definition.class
    body: (_))
  (declaration
    type: (union_specifier name: (type_identifier) @name.definition.class))
]

; Prototypes and definitions share this node.
(function_declarator declarator: (identifier) @name.definition.function)

[
  (type_definition declarator: (type_identifier) @name.definition.type)
  (enum_specifier name: (type_identifier) @name.definition.type)
]
