; inherits: c/locals.scm
; Names and scopes of a C++ file.

(lambda_expression) @scope
; The names of a class are seen everywhere in it.
(field_declaration_list) @scope.class
(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(class_specifier
  name: (type_identifier) @name
  (base_class_clause (type_identifier) @base))
(struct_specifier
  name: (type_identifier) @name
  (base_class_clause (type_identifier) @base))
(function_definition
  declarator: (function_declarator declarator: (field_identifier) @name)) @definition.method
(field_declaration
  declarator: (function_declarator declarator: (field_identifier) @name)) @definition.method
; A method can be written apart from its class.
(function_definition
  declarator: (function_declarator
    declarator: (qualified_identifier
      scope: (namespace_identifier) @type
      name: (identifier) @name))) @definition.method
(alias_declaration name: (type_identifier) @name) @definition.type
(qualified_identifier scope: (_) @receiver name: [(identifier) (type_identifier)] @member)
