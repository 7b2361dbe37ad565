; Tags of a Scala file.

; The package keeps its dots.
(package_clause name: (package_identifier) @name.definition.module)

[
  (class_definition name: (identifier) @name.definition.class)
  (simple_enum_case name: (identifier) @name.definition.class)
  (full_enum_case name: (identifier) @name.definition.class)
]
(object_definition name: (identifier) @name.definition.object)
(trait_definition name: (identifier) @name.definition.interface)
(enum_definition name: (identifier) @name.definition.enum)
(type_definition name: (type_identifier) @name.definition.type)

; Functions without a body are not held, values without one are.
(function_definition name: (identifier) @name.definition.function)
[
  (val_definition pattern: (identifier) @name.definition.variable)
  (var_definition pattern: (identifier) @name.definition.variable)
  (val_declaration name: (identifier) @name.definition.variable)
  (var_declaration name: (identifier) @name.definition.variable)
  (given_definition name: (identifier) @name.definition.variable)
]
(class_parameter name: (identifier) @name.definition.property)

(call_expression (identifier) @name.reference.call)

; A created type is taken for an interface and an extended one for a class,
; whether they have type arguments or not.
(instance_expression
  [
    (type_identifier) @name.reference.interface
    (generic_type (type_identifier) @name.reference.interface)
  ])
(extends_clause
  [
    (type_identifier) @name.reference.class
    (generic_type (type_identifier) @name.reference.class)
  ])
