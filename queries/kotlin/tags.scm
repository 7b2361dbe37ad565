; Tags of a Kotlin file.

; Interfaces and enumerations share the node of classes.
(class_declaration (type_identifier) @name.definition.class)
(object_declaration (type_identifier) @name.definition.object)
(function_declaration (simple_identifier) @name.definition.function)

; A call of a name, or of the last part of a chain.
(call_expression
  [
    (navigation_expression
      (navigation_suffix (simple_identifier) @name.reference.call))
    (simple_identifier) @name.reference.call
  ])

; Supertypes, with or without constructor arguments.
(delegation_specifier
  [
    (user_type) @name.reference.type
    (constructor_invocation (user_type) @name.reference.type)
  ])
