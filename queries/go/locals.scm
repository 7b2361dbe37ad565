; Names and scopes of a Go file.

[
  (function_declaration)
  (method_declaration)
  (func_literal)
  (if_statement)
  (for_statement)
  (expression_switch_statement)
  (type_switch_statement)
  (expression_case)
  (type_case)
  (communication_case)
  (type_spec)
] @scope
; The body of a function has the scope of its parameters.
(statement_list (block) @scope)
(if_statement (block) @scope)
(for_statement body: (block) @scope)
; A value does not see the names that it is given, unless they were there before.
(short_var_declaration right: (_) @initializer)
(var_spec value: (_) @initializer)

; What a function returns first is the type of its calls.
(function_declaration name: (identifier) @name result: (_) @type) @definition.function
(function_declaration name: (identifier) @name) @definition.function
; A method is written apart from its type.
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @base))
  name: (field_identifier) @name) @definition.method
(method_declaration name: (field_identifier) @name result: (_) @type) @definition.method
(method_elem name: (field_identifier) @name) @definition.method
(method_elem name: (field_identifier) @name result: (_) @type) @definition.method
(type_spec name: (type_identifier) @name type: (struct_type)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type)) @definition.interface
(type_spec name: (type_identifier) @name type: (_) @type) @definition.type
(type_alias name: (type_identifier) @name type: (_) @type) @definition.type
(type_parameter_declaration name: (identifier) @name @definition.type)
; A method names the parameters of its type anew.
(method_declaration
  receiver: (parameter_list
    (parameter_declaration type: [
      (generic_type
        type_arguments: (type_arguments (type_elem (type_identifier) @name @definition.type)))
      (pointer_type
        (generic_type
          type_arguments: (type_arguments (type_elem (type_identifier) @name @definition.type))))
    ])))
; An embedded field lends its members, and so does an embedded interface.
(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list (field_declaration !name type: (_) @base))))
(type_spec
  name: (type_identifier) @name
  type: (interface_type (type_elem (_) @base)))
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field

(const_spec name: (identifier) @name) @definition.constant
(var_spec name: (identifier) @name type: (_) @type) @definition.variable
(var_spec name: (identifier) @name !type value: (expression_list . (_) @type)) @definition.variable
(var_spec name: (identifier) @name) @definition.variable
(short_var_declaration
  left: (expression_list . (identifier) @name)
  right: (expression_list . (_) @type)) @definition.variable
(short_var_declaration left: (expression_list (identifier) @name)) @definition.variable
; The last of two names stands for the elements, which have the type that is said for the whole.
(range_clause
  left: (expression_list (_) . (identifier) @name @definition.variable .)
  right: (_) @type)
(range_clause left: (expression_list (identifier) @name @definition.variable))
(receive_statement left: (expression_list (identifier) @name @definition.variable))
(type_switch_statement alias: (expression_list (identifier) @name @definition.variable))
(labeled_statement label: (label_name) @name) @definition.label
(parameter_declaration name: (identifier) @name type: (_) @type) @definition.parameter
(variadic_parameter_declaration name: (identifier) @name type: (_) @type) @definition.parameter

; Without a name of its own, a package is called by the end of its path.
(import_spec !name path: (interpreted_string_literal) @module) @wildcard
(import_spec
  name: (package_identifier) @name
  path: (interpreted_string_literal) @module) @definition.import

(selector_expression operand: (_) @receiver field: (field_identifier) @member)
; The keys of a literal are fields of its type, or of the type of its elements.
(composite_literal
  type: [
    (type_identifier) @receiver
    (qualified_type) @receiver
    (generic_type) @receiver
  ]
  body: (literal_value (keyed_element . (literal_element (identifier) @member))))
(composite_literal
  type: (_) @receiver
  body: (literal_value
    (literal_element
      (literal_value (keyed_element . (literal_element (identifier) @member))))))
(composite_literal
  type: (_) @receiver
  body: (literal_value
    (keyed_element
      (literal_element
        (literal_value (keyed_element . (literal_element (identifier) @member)))) .)))
(qualified_type package: (package_identifier) @receiver name: (type_identifier) @member)

(type_identifier) @reference.type
(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression field: (field_identifier) @reference.call))
(assignment_statement left: (expression_list (identifier) @reference.write))
