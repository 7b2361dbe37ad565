; Tags of a D file. Most names have no field in this grammar, so the anchors tie
; the name to the keyword before it.

(module_def (module_declaration (module_fqn) @name.definition.module))

[
  (class_declaration (class) . (identifier) @name.definition.class)
  (struct_declaration (struct) . (identifier) @name.definition.class)
]
(interface_declaration (interface) . (identifier) @name.definition.interface)

; Unions, enumerations and manifest constants all count as types.
[
  (union_declaration (union) . (identifier) @name.definition.type)
  (enum_declaration (enum) . (identifier) @name.definition.type)
  (manifest_declarator . (identifier) @name.definition.type)
]

; The members of an enumeration, with or without a name of its own.
[
  (enum_declaration (enum_member . (identifier) @name.definition.constant))
  (anonymous_enum_declaration
    (enum_member . (identifier) @name.definition.constant))
]

(function_declaration (identifier) @name.definition.function)

; These special members are all called "this".
[
  (constructor (this) @name.definition.method)
  (destructor (this) @name.definition.method)
  (postblit (this) @name.definition.method)
]

; A call of a name, or of a template with its arguments.
(call_expression
  [
    (identifier) @name.reference.call
    (type (template_instance (identifier) @name.reference.call))
  ])

; The types of named parameters and of variables.
[
  (parameter
    (type (identifier) @name.reference.class)
    (identifier))
  (variable_declaration
    (type (identifier) @name.reference.class)
    (declarator))
]
