; Names and scopes of JavaScript and TypeScript.

[
  (function_declaration)
  (generator_function_declaration)
  (function_expression)
  (arrow_function)
  (method_definition)
  (statement_block)
  (for_statement)
  (for_in_statement)
  (catch_clause)
] @scope

(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(method_definition
  name: [(property_identifier) (private_property_identifier)] @name) @definition.method
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @name)) @definition.member

(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression)]) @definition.function
(variable_declarator
  name: (identifier) @name
  value: (new_expression constructor: (identifier) @type)) @definition.variable
(variable_declarator
  name: (identifier) @name
  value: [(await_expression) (call_expression) (parenthesized_expression)] @type) @definition.variable
(variable_declarator name: (identifier) @name) @definition.variable
(shorthand_property_identifier_pattern) @name @definition.variable
; The value that a pattern takes apart.
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
    (pair_pattern key: (property_identifier) @member)
  ])
  value: [
    (identifier)
    (this)
    (member_expression)
    (call_expression)
    (await_expression)
    (new_expression)
  ] @base @receiver)
(pair_pattern value: (identifier) @name @definition.variable)
(pair_pattern value: (assignment_pattern left: (identifier) @name @definition.variable))
(array_pattern (identifier) @name @definition.variable)
(array_pattern (assignment_pattern left: (identifier) @name @definition.variable))
(rest_pattern (identifier) @name @definition.variable)
; The name of such a function is seen in it alone.
(function_expression name: (identifier) @name @definition.variable)
(catch_clause parameter: (identifier) @name @definition.variable)
(for_in_statement left: (identifier) @name @definition.variable)
(arrow_function parameter: (identifier) @name @definition.parameter)

; What a module brings, by name, as a whole, or under another name.
(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @name @imported !alias)))
  source: (string (string_fragment) @module)) @definition.import
(import_statement
  (import_clause
    (named_imports (import_specifier name: (identifier) @imported alias: (identifier) @name)))
  source: (string (string_fragment) @module)) @definition.import
(import_statement
  (import_clause (identifier) @name @imported.default)
  source: (string (string_fragment) @module)) @definition.import
(import_statement
  (import_clause (namespace_import (identifier) @name))
  source: (string (string_fragment) @module)) @definition.import
(import_statement
  (import_clause (named_imports (import_specifier name: (identifier) @reference.import))))
(export_statement
  (export_clause (export_specifier name: (identifier) @name @imported !alias))
  source: (string (string_fragment) @module)) @definition.import
(export_statement
  (export_clause
    (export_specifier name: (identifier) @imported @reference.import alias: (identifier) @name))
  source: (string (string_fragment) @module)) @definition.import
(export_statement
  (namespace_export (identifier) @name)
  source: (string (string_fragment) @module)) @definition.import
(export_statement
  .
  "export"
  .
  "*"
  source: (string (string_fragment) @module)) @wildcard
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string (string_fragment) @module)))
  (#eq? @_require "require")) @definition.import
(variable_declarator
  name: (object_pattern (shorthand_property_identifier_pattern) @name @imported)
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string (string_fragment) @module)))
  (#eq? @_require "require")) @definition.import
(variable_declarator
  name: (identifier) @name
  value: (member_expression
    object: (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string (string_fragment) @module)))
    property: (property_identifier) @imported @reference.import)
  (#eq? @_require "require")) @definition.import

; What a file exports under another name than its own, or as a whole.
(export_statement
  (export_clause (export_specifier name: (identifier) @type alias: (identifier) @name))
  !source) @definition.export
(export_statement "default" @name value: (identifier) @type) @definition.export
(export_statement
  "default" @name
  declaration: (_ name: (_) @type)) @definition.export
(export_statement "default" @name) @definition.export
(assignment_expression
  left: (member_expression
    object: (identifier) @_module
    property: (property_identifier) @name)
  right: [
    (identifier) @type
    (function_expression name: (identifier)? @type)
    (class name: (_)? @type)
    (arrow_function)
  ]
  (#eq? @_module "module")
  (#eq? @name "exports")) @definition.export
(assignment_expression
  left: (member_expression
    object: [
      (identifier) @_exports
      (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
    ]
    property: (property_identifier) @name)
  right: [(identifier) @type (_)]
  (#eq? @_exports "exports")) @definition.export
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object (pair key: (property_identifier) @name value: (identifier) @type) @definition.export)
  (#eq? @_module "module")
  (#eq? @_exports "exports"))

; The members of an object that is written out.
(variable_declarator
  name: (identifier) @base
  value: (object (method_definition name: (property_identifier) @name)))

(member_expression
  object: (_) @receiver
  property: [(property_identifier) (private_property_identifier)] @member)
(pair key: (property_identifier) @member)

(call_expression function: (identifier) @reference.call)
(call_expression function: (member_expression property: (property_identifier) @reference.call))
(new_expression constructor: (identifier) @reference.call)
(assignment_expression left: (identifier) @reference.write)

