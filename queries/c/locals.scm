; Names and scopes of a C file.

[(function_definition) (compound_statement) (for_statement)] @scope

; The name is somewhere in the declarator, which also tells a function from an object.
(function_definition declarator: (_) @declarator) @definition.function
(function_definition type: (_) @type declarator: (_) @declarator) @definition.function
(declaration type: (_) @type declarator: (_) @declarator) @definition.variable
(field_declaration type: (_) @type declarator: (_) @declarator) @definition.field
(parameter_declaration type: (_) @type declarator: (_) @declarator) @definition.parameter
; Only a type that is written out here has its members in it.
(type_definition
  type: [(struct_specifier body: (_)) (union_specifier body: (_))]
  declarator: (_) @declarator) @definition.type
(type_definition type: (_) @type declarator: (_) @declarator @definition.type)

(preproc_def name: (identifier) @name) @definition.macro
(preproc_function_def name: (identifier) @name) @definition.macro
(struct_specifier name: (type_identifier) @name body: (_)) @definition.struct
(union_specifier name: (type_identifier) @name body: (_)) @definition.union
; The names in it are not seen through its own, so it is no more than its name.
(enum_specifier name: (type_identifier) @name @definition.enum body: (_))
(enumerator name: (identifier) @name) @definition.constant
(labeled_statement label: (statement_identifier) @name) @definition.label

(preproc_include path: [(string_literal) (system_lib_string)] @module) @wildcard

(field_expression argument: (_) @receiver field: (field_identifier) @member)
(field_designator (field_identifier) @member)

(type_identifier) @reference.type
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression field: (field_identifier) @reference.call))
(assignment_expression left: (identifier) @reference.write)
