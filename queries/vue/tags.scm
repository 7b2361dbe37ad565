; Tags of the scripts in a page or a component: what they define, what they call, make and import. The
; queries of JavaScript and TypeScript have to give the comparator's tags; this one is free of that.

[
  (class_declaration name: (type_identifier) @name.definition.class)
  (abstract_class_declaration name: (type_identifier) @name.definition.class)
]

(interface_declaration name: (type_identifier) @name.definition.interface)
(type_alias_declaration name: (type_identifier) @name.definition.type)
(enum_declaration name: (identifier) @name.definition.enum)

; Methods of classes, and those of the object that describes a component.
(method_definition name: (property_identifier) @name.definition.method)

[
  (function_declaration name: (identifier) @name.definition.function)
  (generator_function_declaration name: (identifier) @name.definition.function)
  (variable_declarator
    name: (identifier) @name.definition.function
    value: [(function_expression) (arrow_function)])
]

[
  (call_expression function: (identifier) @name.reference.call)
  (call_expression
    function: (member_expression property: (property_identifier) @name.reference.call))
]

(new_expression constructor: (identifier) @name.reference.class)
(type_annotation (type_identifier) @name.reference.type)

; A component uses another one by the name that it imports.
[
  (import_clause (identifier) @name.reference.import)
  (import_specifier name: (identifier) @name.reference.import)
]
