; Names and scopes of a Java file.

[
  (method_declaration)
  (constructor_declaration)
  (lambda_expression)
  (block)
  (for_statement)
  (enhanced_for_statement)
  (catch_clause)
  (try_with_resources_statement)
  ; These for their type parameters.
  (class_declaration)
  (interface_declaration)
  (record_declaration)
] @scope
; The names of a class are seen everywhere in it.
[(class_body) (interface_body) (enum_body)] @scope.class

(class_declaration name: (identifier) @name) @definition.class
(class_declaration
  name: (identifier) @name
  superclass: (superclass [(type_identifier) (scoped_type_identifier) (generic_type)] @base))
(class_declaration
  name: (identifier) @name
  interfaces: (super_interfaces
    (type_list [(type_identifier) (scoped_type_identifier) (generic_type)] @base)))
(enum_declaration
  name: (identifier) @name
  interfaces: (super_interfaces
    (type_list [(type_identifier) (scoped_type_identifier) (generic_type)] @base)))
(record_declaration
  name: (identifier) @name
  interfaces: (super_interfaces
    (type_list [(type_identifier) (scoped_type_identifier) (generic_type)] @base)))
(interface_declaration
  name: (identifier) @name
  (extends_interfaces
    (type_list [(type_identifier) (scoped_type_identifier) (generic_type)] @base)))
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(record_declaration name: (identifier) @name) @definition.class
(annotation_type_declaration name: (identifier) @name) @definition.interface
; What a method returns is the type of its calls.
(method_declaration type: (_) @type name: (identifier) @name) @definition.method
(annotation_type_element_declaration type: (_) @type name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.constructor
(enum_constant name: (identifier) @name) @definition.constant
(type_parameter (type_identifier) @name) @definition.type

(field_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name)) @definition.field
(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @name)) @definition.variable
(local_variable_declaration
  type: (type_identifier) @_var
  declarator: (variable_declarator
    name: (identifier) @name
    value: [(method_invocation) (object_creation_expression)] @type)
  (#eq? @_var "var")) @definition.variable
(formal_parameter type: (_) @type name: (identifier) @name) @definition.parameter
(spread_parameter (variable_declarator name: (identifier) @name)) @definition.parameter
(catch_formal_parameter (catch_type . (_) @type) name: (identifier) @name) @definition.parameter
(instanceof_expression right: (_) @type name: (identifier) @name @definition.variable)
(enhanced_for_statement type: (_) @type name: (identifier) @name) @definition.variable
(resource type: (_) @type name: (identifier) @name) @definition.variable
(inferred_parameters (identifier) @name @definition.parameter)
(lambda_expression parameters: (identifier) @name @definition.parameter)

(import_declaration (scoped_identifier name: (identifier) @name) @module .) @definition.import
(import_declaration (scoped_identifier) @module (asterisk)) @wildcard
(package_declaration (_) @module)

(method_invocation object: (_) @receiver name: (identifier) @member)
(field_access object: (_) @receiver field: (identifier) @member)
(scoped_type_identifier . (_) @receiver (type_identifier) @member .)
(method_reference . (_) @receiver (identifier) @member .)

(type_identifier) @reference.type
(method_invocation name: (identifier) @reference.call)
(object_creation_expression type: (type_identifier) @reference.call)
(assignment_expression left: (identifier) @reference.write)
