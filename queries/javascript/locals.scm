; inherits: ecmascript.scm
; Names and scopes of a JavaScript file.

; The names of a class belong to its objects.
(class_body) @scope.members
(class_declaration name: (identifier) @name) @definition.class
(class_declaration name: (identifier) @name (class_heritage (identifier) @base))
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name) @definition.field

(formal_parameters (identifier) @name @definition.parameter)
(formal_parameters [
  (object_pattern [
    (shorthand_property_identifier_pattern) @name @definition.parameter
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name @definition.parameter)
  ])
  (assignment_pattern left: (object_pattern [
    (shorthand_property_identifier_pattern) @name @definition.parameter
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name @definition.parameter)
  ]))
])
; An object that is given to a function, which takes it apart.
(call_expression
  function: (_) @receiver
  arguments: (arguments (object [
    (pair key: (property_identifier) @argument)
    (method_definition name: (property_identifier) @argument)
  ])))
(formal_parameters (assignment_pattern left: (identifier) @name @definition.parameter))
(formal_parameters (rest_pattern (identifier) @name @definition.parameter))

(variable_declarator
  name: (identifier) @base
  value: (object (pair key: (property_identifier) @name) @definition.property))

; What an object is given outside of its class.
(assignment_expression
  left: (member_expression object: (identifier) @base property: (property_identifier) @name)
  right: [(function_expression !name) (arrow_function)]
  (#not-eq? @base "exports")
  (#not-eq? @base "module")) @definition.method
(assignment_expression
  left: (member_expression object: (identifier) @base)
  right: (function_expression name: (identifier) @name) @definition.method
  (#not-eq? @base "exports")
  (#not-eq? @base "module"))
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @base property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(function_expression !name) (arrow_function)]
  (#eq? @_prototype "prototype")) @definition.method
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @base property: (property_identifier) @_prototype))
  right: (function_expression name: (identifier) @name) @definition.method
  (#eq? @_prototype "prototype"))
