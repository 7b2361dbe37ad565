; Tags of a Java file. Enumerations, records and constructors have none.

(interface_declaration name: (identifier) @name.definition.interface)
(class_declaration name: (identifier) @name.definition.class)
(method_declaration name: (identifier) @name.definition.method)

(method_invocation
  name: (identifier) @name.reference.method
  arguments: (argument_list))

; Names in a list of types are taken for interfaces, whatever keyword leads the
; list; a base class and the type of a created object are classes.
(type_list (type_identifier) @name.reference.interface)
[
  (superclass (type_identifier) @name.reference.class)
  (object_creation_expression type: (type_identifier) @name.reference.class)
]
