; Tags of a Pony file.

[
  (actor_definition (identifier) @name.definition.class)
  (class_definition (identifier) @name.definition.class)
  (primitive_definition (identifier) @name.definition.class)
  (struct_definition (identifier) @name.definition.class)
  (type_alias (identifier) @name.definition.class)
]
[
  (interface_definition (identifier) @name.definition.interface)
  (trait_definition (identifier) @name.definition.interface)
]
[
  (behavior (identifier) @name.definition.method)
  (constructor (identifier) @name.definition.method)
  (method (identifier) @name.definition.method)
]

; What stands after "is" is provided by the type: the whole type is the name.
[
  (actor_definition (type) @name.reference.implementation)
  (class_definition (type) @name.reference.implementation)
  (primitive_definition (type) @name.reference.implementation)
  (struct_definition (type) @name.reference.implementation)
  (type_alias (type) @name.reference.implementation)
]

; The callee is a name or the last part of a chain, either with type arguments.
(call_expression
  callee: [
    (identifier) @name.reference.call
    (ffi_identifier) @name.reference.call
    (generic_expression [(identifier) (ffi_identifier)] @name.reference.call)
    (member_expression (identifier) @name.reference.call .)
    (member_expression
      (generic_expression [(identifier) (ffi_identifier)] @name.reference.call) .)
  ])
