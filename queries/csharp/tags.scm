; Tags of a C# file. Structures, records, enumerations and properties have none.

(namespace_declaration name: (identifier) @name.definition.module)
(class_declaration name: (identifier) @name.definition.class)
(interface_declaration name: (identifier) @name.definition.interface)
(method_declaration name: (identifier) @name.definition.method)

; Every base of a class is a class and every base of an interface an interface.
; A base may be generic or qualified; its whole text is the name.
(interface_declaration (base_list (_) @name.reference.interface))
[
  (class_declaration (base_list (_) @name.reference.class))
  (object_creation_expression type: (identifier) @name.reference.class)
  (variable_declaration type: (identifier) @name.reference.class)
  (type_parameter_constraints_clause (identifier) @name.reference.class)
  (type_parameter_constraint (type type: (identifier) @name.reference.class))
]

; Calls through a receiver only.
(invocation_expression
  function: (member_access_expression name: (identifier) @name.reference.send))
