; Tags of a Go file: package, imports, types, functions, variables and calls.

(package_clause "package" (package_identifier) @name.definition.module)

; Only an import without parentheses; alias and path are the name together.
(import_declaration (import_spec) @name.reference.module)

(function_declaration name: (identifier) @name.definition.function)
(method_declaration name: (field_identifier) @name.definition.method)

; The callee may be a name or a selector, each of them in parentheses or not.
(call_expression
  function: [
    (identifier) @name.reference.call
    (selector_expression field: (field_identifier) @name.reference.call)
    (parenthesized_expression (identifier) @name.reference.call)
    (parenthesized_expression
      (selector_expression field: (field_identifier) @name.reference.call))
  ])

; The name of a declared type gets up to three tags, in the order of these
; patterns: its definition, a reference (as every type name), and its shape.
(type_spec name: (type_identifier) @name.definition.type)
(type_identifier) @name.reference.type
(type_declaration
  (type_spec
    name: (type_identifier) @name.definition.interface
    type: (interface_type)))
(type_declaration
  (type_spec
    name: (type_identifier) @name.definition.class
    type: (struct_type)))

; Declarations without parentheses for variables, both forms for constants.
(var_declaration (var_spec name: (identifier) @name.definition.variable))
(const_declaration (const_spec name: (identifier) @name.definition.constant))
