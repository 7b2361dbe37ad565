; Tags of a GraphQL file: the types of a schema, and the operations and fragments of a client. Fields
; are no tags: nearly every type has an `id` and a `name`, and they would tie all files to each other.

[
  (enum_type_definition (name) @name.definition.type)
  (input_object_type_definition (name) @name.definition.type)
  (interface_type_definition (name) @name.definition.type)
  (object_type_definition (name) @name.definition.type)
  (scalar_type_definition (name) @name.definition.type)
  (union_type_definition (name) @name.definition.type)
]

(directive_definition (name) @name.definition.directive)
(fragment_definition (fragment_name (name) @name.definition.fragment))
(operation_definition (name) @name.definition.operation)

; A type is used by a field, an argument, a variable, a union, a fragment or another type.
(named_type (name) @name.reference.type)

; `extend` adds to a type that is defined elsewhere.
[
  (enum_type_extension (name) @name.reference.type)
  (input_object_type_extension (name) @name.reference.type)
  (interface_type_extension (name) @name.reference.type)
  (object_type_extension (name) @name.reference.type)
  (scalar_type_extension (name) @name.reference.type)
  (union_type_extension (name) @name.reference.type)
]

(directive (name) @name.reference.directive)
(fragment_spread (fragment_name (name) @name.reference.fragment))
