; Tags of a Dart file.

(class_definition name: (identifier) @name.definition.class)
(mixin_declaration (mixin) (identifier) @name.definition.mixin)
(extension_declaration name: (identifier) @name.definition.extension)
(enum_declaration name: (identifier) @name.definition.enum)
(type_alias (type_identifier) @name.definition.type)

; A method is also a function where its signature is one: two tags, this order.
(method_signature
  [
    (function_signature name: (identifier) @name.definition.method)
    (getter_signature name: (identifier) @name.definition.method)
    (setter_signature name: (identifier) @name.definition.method)
    (constructor_signature name: (identifier) @name.definition.method)
    (factory_constructor_signature (identifier) @name.definition.method)
  ])
(function_signature name: (identifier) @name.definition.function)

; A class is used by "new", or by a variable whose value starts with a name.
[
  (new_expression (type_identifier) @name.reference.class)
  (initialized_variable_definition
    name: (identifier)
    value: (identifier) @name.reference.class)
]

; Messages: a name, the selectors after it and a cascade after those. All but the
; first name is optional, so nearly every identifier is held. Which few are not
; follows from how the query engine drops overlapping matches of one pattern, so
; the optional parts have to stay although they seem to add little.
((identifier) @name.reference.send
  (selector
    "!"?
    (conditional_assignable_selector
      "?."
      (identifier) @name.reference.send)?
    (unconditional_assignable_selector
      "."?
      (identifier) @name.reference.send)?
    (argument_part (arguments (argument)*))?)*
  (cascade_section
    (cascade_selector (identifier)) @name.reference.send
    (argument_part (arguments (argument)*))?)?)
