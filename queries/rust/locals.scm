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
] @scope
[(impl_item) (trait_item) (enum_item)] @scope.members

(function_item name: (identifier) @name) @definition.function
(function_signature_item name: (identifier) @name) @definition.function
(struct_item name: (type_identifier) @name) @definition.struct
(union_item name: (type_identifier) @name) @definition.union
(enum_item name: (type_identifier) @name) @definition.enum
(enum_variant name: (identifier) @name) @definition.constant
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
(field_declaration
  name: (field_identifier) @name
  type: [(type_identifier) @type (reference_type type: (type_identifier) @type)]) @definition.field
(field_declaration name: (field_identifier) @name) @definition.field

(parameter
  pattern: (identifier) @name
  type: [(type_identifier) @type (reference_type type: (type_identifier) @type)]) @definition.parameter
(parameter pattern: (identifier) @name) @definition.parameter
(parameter pattern: (mut_pattern (identifier) @name)) @definition.parameter
(closure_parameters (identifier) @name @definition.parameter)
(let_declaration
  pattern: (identifier) @name
  value: (call_expression
    function: (scoped_identifier path: (identifier) @type))) @definition.variable
(let_declaration
  pattern: (identifier) @name
  value: (struct_expression name: (type_identifier) @type)) @definition.variable
(let_declaration pattern: (identifier) @name type: (type_identifier) @type) @definition.variable
(let_declaration pattern: (identifier) @name) @definition.variable
(tuple_pattern (identifier) @name @definition.variable)
(mut_pattern (identifier) @name @definition.variable)
(ref_pattern (identifier) @name @definition.variable)
(reference_pattern (identifier) @name @definition.variable)
(captured_pattern . (identifier) @name @definition.variable)
(for_expression pattern: (identifier) @name @definition.variable)
(shorthand_field_identifier) @name @definition.variable
; In a pattern, a name in capitals is a constant or a variant.
((tuple_struct_pattern type: (_) (identifier) @name @definition.variable)
  (#match? @name "^[a-z_]"))
((match_pattern . (identifier) @name @definition.variable)
  (#match? @name "^[a-z_]"))

(use_declaration
  argument: (scoped_identifier path: (_) @module name: (identifier) @name @imported)) @definition.import
(scoped_use_list path: (_) @module list: (use_list (identifier) @name @imported)) @definition.import
(use_as_clause
  path: (scoped_identifier path: (_) @module name: (identifier) @imported)
  alias: (identifier) @name) @definition.import
(use_wildcard (_) @module) @wildcard

(field_expression value: (_) @receiver field: (field_identifier) @member)
(scoped_identifier path: (_) @receiver name: (identifier) @member)
(scoped_type_identifier path: (_) @receiver name: (type_identifier) @member)
(field_initializer field: (field_identifier) @member)

(type_identifier) @reference.type
(call_expression function: (identifier) @reference.call)
(call_expression function: (scoped_identifier name: (identifier) @reference.call))
(call_expression function: (field_expression field: (field_identifier) @reference.call))
(macro_invocation macro: (identifier) @reference.call)
(assignment_expression left: (identifier) @reference.write)
