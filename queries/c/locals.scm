; Names and scopes of a C file.

[(function_definition) (compound_statement) (for_statement)] @scope

(function_definition
  declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(function_definition
  declarator: (pointer_declarator
    declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(declaration declarator: (function_declarator declarator: (identifier) @name)) @definition.function
(declaration
  declarator: (pointer_declarator
    declarator: (function_declarator declarator: (identifier) @name))) @definition.function
(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.union
; The names in it are not seen through its own, so it is no more than its name.
(enum_specifier name: (type_identifier) @name @definition.enum body: (_))
(enumerator name: (identifier) @name) @definition.constant
; Only a type that is written out here has its members in it.
(type_definition
  type: [(struct_specifier body: (_)) (union_specifier body: (_))]
  declarator: (type_identifier) @name) @definition.type
(type_definition
  type: [(struct_specifier name: (_) @type !body) (union_specifier name: (_) @type !body) (type_identifier) @type]
  declarator: [
    (type_identifier) @name @definition.type
    (pointer_declarator declarator: (type_identifier) @name @definition.type)
  ])
(type_definition
  declarator: [
    (type_identifier) @name @definition.type
    (pointer_declarator declarator: (type_identifier) @name @definition.type)
    (array_declarator declarator: (type_identifier) @name @definition.type)
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator declarator: (type_identifier) @name @definition.type)))
  ])
(labeled_statement label: (statement_identifier) @name) @definition.label

(field_declaration
  type: [(type_identifier) @type (struct_specifier name: (type_identifier) @type)]
  declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
  ]) @definition.field
(field_declaration declarator: (field_identifier) @name) @definition.field
(field_declaration declarator: (pointer_declarator declarator: (field_identifier) @name)) @definition.field
(field_declaration declarator: (array_declarator declarator: (field_identifier) @name)) @definition.field

(declaration
  type: [(type_identifier) @type (struct_specifier name: (type_identifier) @type)]
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (init_declarator declarator: (identifier) @name)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
  ]) @definition.variable
(declaration
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
    (init_declarator declarator: (identifier) @name)
    (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))
    (init_declarator declarator: (array_declarator declarator: (identifier) @name))
  ]) @definition.variable
(parameter_declaration
  type: [(type_identifier) @type (struct_specifier name: (type_identifier) @type)]
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
  ]) @definition.parameter
(parameter_declaration
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (array_declarator declarator: (identifier) @name)
  ]) @definition.parameter

(preproc_include path: [(string_literal) (system_lib_string)] @module) @wildcard

(field_expression argument: (_) @receiver field: (field_identifier) @member)
(field_designator (field_identifier) @member)

(type_identifier) @reference.type
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (field_identifier) @reference.call))
(assignment_expression left: (identifier) @reference.write)
