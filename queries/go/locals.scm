; Names and scopes of a Go file.

[
  (function_declaration)
  (method_declaration)
  (func_literal)
  (block)
  (if_statement)
  (for_statement)
  (expression_switch_statement)
  (type_switch_statement)
  (expression_case)
  (type_case)
  (communication_case)
] @scope

(function_declaration name: (identifier) @name) @definition.function
; What a function returns first is the type of its calls.
(function_declaration
  name: (identifier) @name
  result: [
    [(type_identifier) (qualified_type)] @type
    (pointer_type [(type_identifier) (qualified_type)] @type)
    (parameter_list . (parameter_declaration type: [
      [(type_identifier) (qualified_type)] @type
      (pointer_type [(type_identifier) (qualified_type)] @type)
    ]))
  ]) @definition.function
(method_declaration
  name: (field_identifier) @name
  result: [
    [(type_identifier) (qualified_type)] @type
    (pointer_type [(type_identifier) (qualified_type)] @type)
    (parameter_list . (parameter_declaration type: [
      [(type_identifier) (qualified_type)] @type
      (pointer_type [(type_identifier) (qualified_type)] @type)
    ]))
  ]) @definition.method
; A method is written apart from its type.
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (type_identifier) @base))
  name: (field_identifier) @name) @definition.method
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (pointer_type (type_identifier) @base)))
  name: (field_identifier) @name) @definition.method
(method_declaration name: (field_identifier) @name) @definition.method
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(method_elem name: (field_identifier) @name) @definition.method
(method_elem
  name: (field_identifier) @name
  result: [
    [(type_identifier) (qualified_type)] @type
    (pointer_type [(type_identifier) (qualified_type)] @type)
  ]) @definition.method
; An embedded field lends its members.
(type_spec
  name: (type_identifier) @name
  type: (struct_type
    (field_declaration_list
      (field_declaration !name type: [(type_identifier) (qualified_type)] @base))))
(field_declaration
  name: (field_identifier) @name
  type: [
    [(type_identifier) (qualified_type)] @type
    (pointer_type [(type_identifier) (qualified_type)] @type)
  ]) @definition.field
(field_declaration name: (field_identifier) @name) @definition.field

(const_spec name: (identifier) @name) @definition.constant
(var_spec
  name: (identifier) @name
  type: [
    [(type_identifier) (qualified_type)] @type
    (pointer_type [(type_identifier) (qualified_type)] @type)
  ]) @definition.variable
(var_spec name: (identifier) @name) @definition.variable
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (composite_literal type: [(type_identifier) (qualified_type)] @type) .)) @definition.variable
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list
    .
    (unary_expression operand: (composite_literal type: [(type_identifier) (qualified_type)] @type))
    .)) @definition.variable
(short_var_declaration
  left: (expression_list . (identifier) @name)
  right: (expression_list
    .
    (call_expression function: [(identifier) (selector_expression)] @type)
    .)) @definition.variable
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . [(identifier) (selector_expression)] @type .)) @definition.variable
(short_var_declaration left: (expression_list (identifier) @name)) @definition.variable
(range_clause left: (expression_list (identifier) @name @definition.variable))
(parameter_declaration
  name: (identifier) @name
  type: [
    [(type_identifier) (qualified_type)] @type
    (pointer_type [(type_identifier) (qualified_type)] @type)
  ]) @definition.parameter
(parameter_declaration name: (identifier) @name) @definition.parameter
(variadic_parameter_declaration name: (identifier) @name) @definition.parameter

; Without a name of its own, a package is called by the end of its path.
(import_spec !name path: (interpreted_string_literal) @module) @wildcard
(import_spec
  name: (package_identifier) @name
  path: (interpreted_string_literal) @module) @definition.import

(selector_expression operand: (_) @receiver field: (field_identifier) @member)
; The keys of a literal are fields of its type.
(composite_literal
  type: [(type_identifier) (qualified_type)] @receiver
  body: (literal_value (keyed_element . (literal_element (identifier) @member))))
(composite_literal
  type: (slice_type element: [
    [(type_identifier) (qualified_type)] @receiver
    (pointer_type [(type_identifier) (qualified_type)] @receiver)
  ])
  body: (literal_value
    (literal_element
      (literal_value (keyed_element . (literal_element (identifier) @member))))))
(composite_literal
  type: (slice_type element: (struct_type))
  body: (literal_value
    (literal_element
      (literal_value (keyed_element . (literal_element (identifier) @member))))))
(qualified_type package: (package_identifier) @receiver name: (type_identifier) @member)

(type_identifier) @reference.type
(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression field: (field_identifier) @reference.call))
(assignment_statement left: (expression_list (identifier) @reference.write))
