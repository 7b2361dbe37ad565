; inherits: ecmascript.scm
; Names and scopes of a TypeScript file, with JSX or without.

; The names of a class belong to its objects.
[(class_body) (interface_body)] @scope.members
(enum_body) @scope.class
; These for their type parameters.
[
  (abstract_class_declaration)
  (class_declaration)
  (conditional_type)
  (construct_signature)
  (call_signature)
  (function_signature)
  (function_type)
  (interface_declaration)
  (method_signature)
  (object_type)
  (type_alias_declaration)
] @scope
(mapped_type_clause name: (type_identifier) @name @definition.type)
(infer_type . (type_identifier) @name @definition.type)
(class_declaration name: (type_identifier) @name) @definition.class
(abstract_class_declaration name: (type_identifier) @name) @definition.class
(class_declaration
  name: (type_identifier) @name
  (class_heritage (extends_clause value: (identifier) @base)))
(abstract_class_declaration
  name: (type_identifier) @name
  (class_heritage (extends_clause value: (identifier) @base)))
(class_declaration
  name: (type_identifier) @name
  (class_heritage
    (implements_clause [(type_identifier) @base (generic_type name: (type_identifier) @base)])))
(abstract_class_declaration
  name: (type_identifier) @name
  (class_heritage
    (implements_clause [(type_identifier) @base (generic_type name: (type_identifier) @base)])))
(interface_declaration name: (type_identifier) @name) @definition.interface
(interface_declaration
  name: (type_identifier) @name
  (extends_type_clause
    type: [(type_identifier) @base (generic_type name: (type_identifier) @base)]))
(type_alias_declaration name: (type_identifier) @name) @definition.type
(enum_declaration name: (identifier) @name) @definition.enum
(enum_body (property_identifier) @name @definition.field)
(enum_assignment name: (property_identifier) @name) @definition.field
(internal_module name: (identifier) @name) @definition.module
(function_signature name: (identifier) @name) @definition.function
; What a function returns is the type of its calls.
(function_declaration
  name: (identifier) @name
  return_type: (type_annotation [
    [(type_identifier) (nested_type_identifier)] @type
    (generic_type name: [(type_identifier) (nested_type_identifier)] @type)
  ])) @definition.function
(method_definition
  name: (property_identifier) @name
  return_type: (type_annotation [
    [(type_identifier) (nested_type_identifier)] @type
    (generic_type name: [(type_identifier) (nested_type_identifier)] @type)
  ])) @definition.method
(method_signature
  name: (property_identifier) @name
  return_type: (type_annotation [
    [(type_identifier) (nested_type_identifier)] @type
    (generic_type name: [(type_identifier) (nested_type_identifier)] @type)
  ])) @definition.method
(public_field_definition
  name: (property_identifier) @name
  value: (new_expression constructor: (identifier) @type)) @definition.field
(nested_type_identifier module: (identifier) @receiver name: (type_identifier) @member)
(method_signature name: (property_identifier) @name) @definition.method
(abstract_method_signature name: (property_identifier) @name) @definition.method
(property_signature
  name: (property_identifier) @name
  type: (type_annotation [
    [(type_identifier) (nested_type_identifier)] @type
    (generic_type name: [(type_identifier) (nested_type_identifier)] @type)
  ])) @definition.property
(property_signature name: (property_identifier) @name) @definition.property
(public_field_definition
  name: (property_identifier) @name
  type: (type_annotation [
    [(type_identifier) (nested_type_identifier)] @type
    (generic_type name: [(type_identifier) (nested_type_identifier)] @type)
  ])) @definition.field
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name) @definition.field
(type_parameter name: (type_identifier) @name) @definition.type

(required_parameter
  pattern: (identifier) @name
  type: (type_annotation [
    [(type_identifier) (nested_type_identifier)] @type
    (generic_type name: [(type_identifier) (nested_type_identifier)] @type)
  ])) @definition.parameter
(required_parameter pattern: (identifier) @name) @definition.parameter
(required_parameter pattern: (rest_pattern (identifier) @name)) @definition.parameter
(optional_parameter
  pattern: (identifier) @name
  type: (type_annotation [
    [(type_identifier) (nested_type_identifier)] @type
    (generic_type name: [(type_identifier) (nested_type_identifier)] @type)
  ])) @definition.parameter
(optional_parameter pattern: (identifier) @name) @definition.parameter
(variable_declarator
  name: (identifier) @name
  type: (type_annotation [
    [(type_identifier) (nested_type_identifier)] @type
    (generic_type name: [(type_identifier) (nested_type_identifier)] @type)
  ])) @definition.variable

; The type of what a pattern takes apart.
(required_parameter
  pattern: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
    (pair_pattern key: (property_identifier) @member)
  ])
  type: (type_annotation [
    [(type_identifier) (nested_type_identifier)] @base @receiver
    (generic_type name: [(type_identifier) (nested_type_identifier)] @base @receiver)
  ]))
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
  ])
  type: (type_annotation [
    [(type_identifier) (nested_type_identifier)] @base
    (generic_type name: [(type_identifier) (nested_type_identifier)] @base)
  ]))

(type_identifier) @reference.type
; Without a type of its own, an object declares its members.
(variable_declarator
  name: (identifier) @base
  !type
  value: [
    (object (pair key: (property_identifier) @name) @definition.property)
    (as_expression (object (pair key: (property_identifier) @name) @definition.property))
  ])
(import_statement
  (import_require_clause (identifier) @name source: (string (string_fragment) @module))) @definition.import
