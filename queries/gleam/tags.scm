; Tags of a Gleam file. Definitions of types and constructors stand before the
; patterns that take every such name for a reference.

; Modules have no definition: the file is one. A name before a dot is taken for
; a module although it may be a record.
[
  (module) @name.reference.module
  (import alias: (identifier) @name.reference.module)
  (remote_type_identifier module: (identifier) @name.reference.module)
  (field_access record: (identifier) @name.reference.module)
]

[
  (function name: (identifier) @name.definition.function)
  (external_function name: (identifier) @name.definition.function)
]
[
  (unqualified_import (identifier) @name.reference.function)
  (function_call function: (identifier) @name.reference.function)
  (field_access
    record: (identifier)
    field: (label) @name.reference.function)
  (binary_expression
    operator: "|>"
    right: (identifier) @name.reference.function)
]

[
  (type_definition (type_name name: (type_identifier) @name.definition.type))
  (external_type (type_name name: (type_identifier) @name.definition.type))
]
(type_definition
  (data_constructors
    (data_constructor
      name: (constructor_name) @name.definition.constructor)))

(type_identifier) @name.reference.type
(constructor_name) @name.reference.constructor
