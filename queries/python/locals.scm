; Names and scopes of a Python file.

; What opens a scope. The names of a class are seen only directly in it.
[
  (function_definition)
  (lambda)
  (list_comprehension)
  (set_comprehension)
  (dictionary_comprehension)
  (generator_expression)
] @scope
(class_definition) @scope.members

(function_definition name: (identifier) @name) @definition.function
; What a function returns is the type of its calls.
(function_definition
  name: (identifier) @name
  return_type: (type [(identifier) (attribute)] @type)) @definition.function
(function_definition
  name: (identifier) @name
  return_type: (type
    (generic_type (identifier) @_optional (type_parameter . (type [(identifier) (attribute)] @type))))
  (#eq? @_optional "Optional")) @definition.function
(function_definition
  name: (identifier) @name
  return_type: (type
    (binary_operator left: [(identifier) (attribute)] @type right: (none)))) @definition.function
(class_definition name: (identifier) @name) @definition.class
(class_definition
  name: (identifier) @name
  superclasses: (argument_list [(identifier) (attribute)] @base))

(parameters (identifier) @name @definition.parameter)
(lambda_parameters (identifier) @name @definition.parameter)
(default_parameter name: (identifier) @name) @definition.parameter
(typed_parameter . (identifier) @name type: (type [(identifier) (attribute)] @type)) @definition.parameter
(typed_parameter
  .
  (identifier) @name
  type: (type (binary_operator left: [(identifier) (attribute)] @type right: (none)))) @definition.parameter
(typed_parameter . (identifier) @name) @definition.parameter
(typed_parameter . (list_splat_pattern (identifier) @name)) @definition.parameter
(typed_parameter . (dictionary_splat_pattern (identifier) @name)) @definition.parameter
(typed_default_parameter
  name: (identifier) @name
  type: (type [(identifier) (attribute)] @type)) @definition.parameter
(typed_default_parameter
  name: (identifier) @name
  type: (type (binary_operator left: [(identifier) (attribute)] @type right: (none)))) @definition.parameter
(typed_default_parameter name: (identifier) @name) @definition.parameter
(parameters (list_splat_pattern (identifier) @name) @definition.parameter)
(parameters (dictionary_splat_pattern (identifier) @name) @definition.parameter)
(lambda_parameters (list_splat_pattern (identifier) @name) @definition.parameter)
(lambda_parameters (dictionary_splat_pattern (identifier) @name) @definition.parameter)

; The value of an assignment sees what the name meant before.
(assignment right: (_) @initializer)

; What a variable is made by comes first: the first pattern that knows a definition counts.
(assignment
  left: (identifier) @name
  right: (call function: [(identifier) (attribute)] @type)) @definition.variable
(assignment left: (identifier) @name type: (type [(identifier) (attribute)] @type)) @definition.variable
(assignment left: (identifier) @name right: [(identifier) (attribute)] @type) @definition.variable
(assignment
  left: (identifier) @name
  right: (await (call function: [(identifier) (attribute)] @type))) @definition.variable
(with_item
  value: (as_pattern
    (call function: [(identifier) (attribute)] @type)
    alias: (as_pattern_target (identifier) @name @definition.variable)))
(assignment left: (identifier) @name) @definition.variable
(assignment left: (pattern_list (identifier) @name)) @definition.variable
(assignment left: (tuple_pattern (identifier) @name)) @definition.variable
(assignment left: (pattern_list (list_splat_pattern (identifier) @name))) @definition.variable
(named_expression name: (identifier) @name) @definition.variable
(for_statement left: (identifier) @name @definition.variable)
(for_statement left: (pattern_list (identifier) @name @definition.variable))
(for_statement left: (tuple_pattern (identifier) @name @definition.variable))
(for_in_clause left: (identifier) @name @definition.variable)
(for_in_clause left: (pattern_list (identifier) @name @definition.variable))
(for_in_clause left: (tuple_pattern (identifier) @name @definition.variable))
(as_pattern alias: (as_pattern_target (identifier) @name @definition.variable))
(as_pattern alias: (as_pattern_target (tuple (identifier) @name @definition.variable)))

; An attribute that a method gives its object.
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  right: (call function: [(identifier) (attribute)] @type)
  (#eq? @_self "self")) @definition.member
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  right: [(identifier) (attribute)] @type
  (#eq? @_self "self")) @definition.member
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  type: (type [(identifier) (attribute)] @type)
  (#eq? @_self "self")) @definition.member
(assignment
  left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  (#any-of? @_self "self" "cls")) @definition.member

(assignment
  left: (pattern_list
    (attribute object: (identifier) @_self attribute: (identifier) @name @definition.member))
  (#any-of? @_self "self" "cls"))

; What a case captures; a name with a dot is compared instead.
(case_pattern (dotted_name . (identifier) @name @definition.variable .))
(keyword_pattern (identifier) (dotted_name . (identifier) @name @definition.variable .))
(splat_pattern (identifier) @name @definition.variable)

(augmented_assignment left: (identifier) @reference.write)

(import_statement name: (dotted_name . (identifier) @name .) @module) @definition.import
(import_statement name: (dotted_name . (identifier) @name (identifier)) @module) @definition.import
(import_statement
  name: (aliased_import name: (dotted_name) @module alias: (identifier) @name)) @definition.import
(import_from_statement
  module_name: [(dotted_name) (relative_import)] @module
  name: (dotted_name . (identifier) @name @imported .)) @definition.import
(import_from_statement
  module_name: [(dotted_name) (relative_import)] @module
  name: (aliased_import
    name: (dotted_name) @imported
    alias: (identifier) @name)) @definition.import
(import_from_statement
  module_name: [(dotted_name) (relative_import)] @module
  (wildcard_import) @wildcard)

(attribute object: (_) @receiver attribute: (identifier) @member)
; The name of an argument belongs to the function that is called.
(keyword_argument name: (identifier) @argument)
(call
  function: [(identifier) (attribute)] @receiver
  arguments: (argument_list (keyword_argument name: (identifier) @argument)))

(call function: (identifier) @reference.call)
(call function: (attribute attribute: (identifier) @reference.call))
(type (identifier) @reference.type)
(decorator (identifier) @reference.call)
