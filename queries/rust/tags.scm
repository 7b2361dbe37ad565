; Tags of a Rust file: items, calls, macro uses and implementations.

; Every kind of type is a class to the map.
[
  (struct_item name: (type_identifier) @name.definition.class)
  (enum_item name: (type_identifier) @name.definition.class)
  (union_item name: (type_identifier) @name.definition.class)
  (type_item name: (type_identifier) @name.definition.class)
]

(trait_item name: (type_identifier) @name.definition.interface)
(mod_item name: (identifier) @name.definition.module)
(macro_definition name: (identifier) @name.definition.macro)

; A function inside a body of declarations is a method and then, like every
; other one, a function: such a name is tagged twice, in this order.
(declaration_list
  (function_item name: (identifier) @name.definition.method))
(function_item name: (identifier) @name.definition.function)

; Paths such as module::name are not followed.
[
  (call_expression function: (identifier) @name.reference.call)
  (call_expression
    function: (field_expression field: (field_identifier) @name.reference.call))
  (macro_invocation macro: (identifier) @name.reference.call)
]

; An implementation refers to its trait, or to its type if there is no trait.
[
  (impl_item trait: (type_identifier) @name.reference.implementation)
  (impl_item
    !trait
    type: (type_identifier) @name.reference.implementation)
]
