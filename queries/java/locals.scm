; Names and scopes of a Java file.

[
  (method_declaration)
  (constructor_declaration)
  (lambda_expression)
  (block)
  (for_statement)
  (enhanced_for_statement)
  (catch_clause)
] @scope
; The names of a class are seen everywhere in it.
[(class_body) (interface_body) (enum_body)] @scope.class

(class_declaration name: (identifier) @name) @definition.class
(class_declaration
  name: (identifier) @name
  superclass: (superclass (type_identifier) @base))
(interface_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(record_declaration name: (identifier) @name) @definition.class
(annotation_type_declaration name: (identifier) @name) @definition.interface
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.constructor
(enum_constant name: (identifier) @name) @definition.constant
(type_parameter (type_identifier) @name) @definition.type

(field_declaration
  type: (type_identifier) @type
  declarator: (variable_declarator name: (identifier) @name)) @definition.field
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field
(local_variable_declaration
  type: (type_identifier) @type
  declarator: (variable_declarator name: (identifier) @name)) @definition.variable
(local_variable_declaration
  declarator: (variable_declarator name: (identifier) @name)) @definition.variable
(formal_parameter type: (type_identifier) @type name: (identifier) @name) @definition.parameter
(formal_parameter name: (identifier) @name) @definition.parameter
(catch_formal_parameter name: (identifier) @name) @definition.parameter
(enhanced_for_statement name: (identifier) @name @definition.variable)
(inferred_parameters (identifier) @name @definition.parameter)
(lambda_expression parameters: (identifier) @name @definition.parameter)
(resource name: (identifier) @name) @definition.variable

(import_declaration (scoped_identifier name: (identifier) @name) @module .) @definition.import

(method_invocation object: (_) @receiver name: (identifier) @member)
(field_access object: (_) @receiver field: (identifier) @member)

(type_identifier) @reference.type
(method_invocation name: (identifier) @reference.call)
(object_creation_expression type: (type_identifier) @reference.call)
(assignment_expression left: (identifier) @reference.write)
