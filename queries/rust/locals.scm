; Names and scopes of a Rust file.

[
  (function_item)
  (closure_expression)
  (block)
  (match_arm)
  (for_expression)
  (if_expression)
  (while_expression)
  (mod_item)
  (impl_item)
  (trait_item)
  (struct_item)
  (enum_item)
] @scope
; The names of a type are seen directly in it alone; its generic parameters also in its functions.
(impl_item body: (_) @scope.members)
(trait_item body: (_) @scope.members)
(enum_item body: (_) @scope.members)
(type_parameter name: (type_identifier) @name) @definition.type
(const_parameter name: (identifier) @name) @definition.constant

; What a function returns is the type of its calls.
(function_item name: (identifier) @name return_type: (_) @type) @definition.function
(function_signature_item name: (identifier) @name return_type: (_) @type) @definition.function
(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.union
(enum_item name: (type_identifier) @name) @definition.enum
(trait_item name: (type_identifier) @name) @definition.trait
(type_item name: (type_identifier) @name) @definition.type
(associated_type name: (type_identifier) @name) @definition.type
(const_item name: (identifier) @name) @definition.constant
(static_item name: (identifier) @name) @definition.constant
(mod_item name: (identifier) @name) @definition.module
(macro_definition name: (identifier) @name) @definition.macro
; A block of methods adds them to its type.
(impl_item type: (type_identifier) @name) @definition.extension
(impl_item type: (generic_type type: (type_identifier) @name)) @definition.extension
(impl_item type: (scoped_type_identifier name: (type_identifier) @name)) @definition.extension
(impl_item
  trait: [
    (type_identifier) @base
    (scoped_type_identifier) @base
    (generic_type type: (_) @base)
  ]
  type: [
    (type_identifier) @name
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (type_identifier) @name)
  ])
(trait_item name: (type_identifier) @name bounds: (trait_bounds (type_identifier) @base))
; A variant with fields has them as members.
(enum_variant name: (identifier) @name body: (field_declaration_list)) @definition.struct
(enum_variant name: (identifier) @name body: (ordered_field_declaration_list)) @definition.constant
(enum_variant name: (identifier) @name !body) @definition.constant
(field_declaration name: (field_identifier) @name type: (_) @type) @definition.field

(parameter
  pattern: [(identifier) @name (mut_pattern (identifier) @name)]
  type: (_) @type) @definition.parameter
(closure_parameters (identifier) @name @definition.parameter)
(let_declaration
  pattern: [(identifier) @name (mut_pattern (identifier) @name)]
  type: (_) @type) @definition.variable
(let_declaration
  pattern: [(identifier) @name (mut_pattern (identifier) @name)]
  !type
  value: (_) @type) @definition.variable
(let_declaration pattern: (identifier) @name) @definition.variable
(mut_pattern (identifier) @name @definition.variable)
(ref_pattern (identifier) @name @definition.variable)
(reference_pattern (identifier) @name @definition.variable)
(captured_pattern . (identifier) @name @definition.variable)
(for_expression pattern: (identifier) @name @definition.variable)
(shorthand_field_identifier) @name @definition.variable
; In a pattern, a name in capitals is a constant or a variant.
((tuple_pattern (identifier) @name @definition.variable)
  (#match? @name "^[a-z_]"))
((tuple_struct_pattern type: (_) (identifier) @name @definition.variable)
  (#match? @name "^[a-z_]"))
((match_pattern . (identifier) @name @definition.variable)
  (#match? @name "^[a-z_]"))

; The value of a pattern does not see the names of the pattern.
(let_declaration value: (_) @initializer)
(let_condition value: (_) @initializer)
(for_expression value: (_) @initializer)

(use_declaration argument: (identifier) @name @module) @definition.import
(use_declaration
  argument: (scoped_identifier path: (_) @module name: (identifier) @name @imported)) @definition.import
(use_list
  (scoped_identifier path: (_) @module name: (identifier) @name @imported) @definition.import)
(scoped_use_list
  path: (_) @module
  list: (use_list (identifier) @name @imported @definition.import))
(scoped_use_list path: (identifier) @name @module list: (use_list (self))) @definition.import
(scoped_use_list
  path: (scoped_identifier path: (_) @module name: (identifier) @name @imported)
  list: (use_list (self))) @definition.import
(use_as_clause
  path: (scoped_identifier path: (_) @module name: (identifier) @imported @reference.import)
  alias: (identifier) @name) @definition.import
(scoped_use_list
  path: (_) @module
  list: (use_list
    (use_as_clause path: (identifier) @imported @reference.import alias: (identifier) @name) @definition.import))
(scoped_use_list
  path: (_) @module
  list: (use_list (use_as_clause path: (self) alias: (identifier) @name) @definition.import))
(use_declaration
  argument: (use_as_clause path: (identifier) @module alias: (identifier) @name)) @definition.import
(use_wildcard (_) @module) @wildcard
; Within groups, a path goes on from the one around it.
(scoped_use_list
  path: (_) @receiver
  list: (use_list [
    (scoped_use_list path: (identifier) @member)
    (scoped_identifier path: (identifier) @member)
  ]))

(field_expression value: (_) @receiver field: (field_identifier) @member)
(scoped_identifier path: (_) @receiver name: (identifier) @member)
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @member)
(field_initializer field: (field_identifier) @member)
(struct_expression
  name: (_) @receiver
  body: (field_initializer_list (field_initializer field: (field_identifier) @member)))
(struct_pattern
  type: (_) @receiver
  (field_pattern name: (field_identifier) @member))

(type_identifier) @reference.type
; The beginning of a path is a module or a type, never a variable.
(scoped_identifier path: (identifier) @reference.type)
(scoped_type_identifier path: (identifier) @reference.type)
(call_expression function: (identifier) @reference.call)
(call_expression function: (scoped_identifier name: (identifier) @reference.call))
(call_expression function: (field_expression field: (field_identifier) @reference.call))
(macro_invocation macro: (identifier) @reference.call)
(assignment_expression left: (identifier) @reference.write)
