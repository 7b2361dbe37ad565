; Tags of a TypeScript file. The reference looks at types and at "new" only:
; plain calls are left to the lexical fallback.

; An interface is tagged twice, first as an interface and then as a class.
(interface_declaration name: (type_identifier) @name.definition.interface)

[
  (class_declaration name: (type_identifier) @name.definition.class)
  (abstract_class_declaration name: (type_identifier) @name.definition.class)
  (interface_declaration name: (type_identifier) @name.definition.class)
]

[
  (method_definition name: (property_identifier) @name.definition.method)
  (method_signature name: (property_identifier) @name.definition.method)
  (abstract_method_signature name: (property_identifier) @name.definition.method)
]

[
  (function_declaration name: (identifier) @name.definition.function)
  (function_signature name: (identifier) @name.definition.function)
]

(type_alias_declaration name: (type_identifier) @name.definition.type)
(enum_declaration name: (identifier) @name.definition.enum)
(module name: (identifier) @name.definition.module)

; Only an annotation that is a bare name counts, not one inside a union or array.
(type_annotation (type_identifier) @name.reference.type)
(new_expression constructor: (identifier) @name.reference.class)
