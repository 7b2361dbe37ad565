; inherits: c/locals.scm
; Names and scopes of a C++ file.

[(lambda_expression) (template_declaration) (for_range_loop) (catch_clause)] @scope
; The names of a class are seen everywhere in it.
(field_declaration_list) @scope.class

(class_specifier name: (type_identifier) @name body: (_)) @definition.class
(class_specifier name: (template_type name: (type_identifier) @name) body: (_)) @definition.class
(class_specifier name: (qualified_identifier name: (type_identifier) @name) body: (_)) @definition.class
(struct_specifier
  name: (qualified_identifier name: (type_identifier) @name)
  body: (_)) @definition.struct
; A template begins before what it is a template of.
(template_declaration (class_specifier name: (type_identifier) @name body: (_))) @definition.class
(template_declaration (struct_specifier name: (type_identifier) @name body: (_))) @definition.struct
(template_declaration (function_definition declarator: (_) @declarator) @_function) @definition.function
(template_declaration (declaration declarator: (_) @declarator)) @definition.function
(class_specifier
  name: (type_identifier) @name
  (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base))
(struct_specifier
  name: (type_identifier) @name
  (base_class_clause [(type_identifier) (qualified_identifier) (template_type)] @base))
(type_parameter_declaration (type_identifier) @name @definition.type)
(optional_type_parameter_declaration name: (type_identifier) @name @definition.type)
(namespace_definition name: (namespace_identifier) @name) @definition.module
(namespace_definition
  name: (nested_namespace_specifier (namespace_identifier) @name)) @definition.module
(alias_declaration name: (type_identifier) @name type: (_) @type) @definition.type

; A constructor has no type.
(declaration !type declarator: (_) @declarator) @definition.variable
(optional_parameter_declaration type: (_) @type declarator: (_) @declarator) @definition.parameter
(for_range_loop type: (_) @type declarator: (_) @declarator) @definition.variable
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator declarator: (_) @declarator value: (_) @type)) @definition.variable

(qualified_identifier
  scope: (_) @receiver
  name: [
    (identifier) @member
    (type_identifier) @member
    (template_type name: (_) @member)
    (template_function name: (_) @member)
    (qualified_identifier scope: (namespace_identifier) @member)
    (qualified_identifier scope: (template_type name: (_) @member))
  ])
; What stands before two colons is a class or a namespace.
(namespace_identifier) @reference.type
(call_expression function: (qualified_identifier name: (identifier) @reference.call))
