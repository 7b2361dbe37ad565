; Tags of a C++ file: definitions only, so references come from the lexer.

; A structure counts where its body is given, a union where it types a
; variable, and a class at every mention with the keyword.
[
  (class_specifier name: (type_identifier) @name.definition.class)
  (struct_specifier
    name: (type_identifier) @name.definition.class
    body: (_))
  (declaration
    type: (union_specifier name: (type_identifier) @name.definition.class))
]

; Free functions, and member functions declared inside their class.
(function_declarator
  declarator: [(identifier) (field_identifier)] @name.definition.function)

; Member functions defined outside of it, with exactly one scope before the name.
(function_declarator
  declarator: (qualified_identifier
    scope: (namespace_identifier)
    name: (identifier) @name.definition.method))

[
  (type_definition declarator: (type_identifier) @name.definition.type)
  (enum_specifier name: (type_identifier) @name.definition.type)
]
