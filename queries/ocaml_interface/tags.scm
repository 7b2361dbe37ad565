; Tags of an OCaml interface. The reference gives a usable capture name to the
; values only; types, modules and references to them are left to the lexer.

(value_specification (value_name) @name.definition.function)

; The rest is in the paired style, which the parity profile does not read:
; there the lexer finds the references.

(module_binding . (module_name) @name) @definition.module

(module_type_definition (module_type_name) @name) @definition.interface

[
  (class_binding (class_name) @name)
  (class_type_binding (class_type_name) @name)
] @definition.class

(method_specification (method_name) @name) @definition.method

(type_binding name: (type_constructor) @name) @definition.type

[
  (constructor_declaration (constructor_name) @name)
  (tag_specification (tag) @name)
] @definition.enum_variant

(field_declaration (field_name) @name) @definition.field

(external (value_name) @name) @definition.function

[
  (module_path (module_name) @name)
  (extended_module_path (module_name) @name)
] @reference.module

(module_type_path (module_type_name) @name) @reference.implementation

[
  (class_path (class_name) @name)
  (class_type_path (class_type_name) @name)
] @reference.class

(type_constructor_path (type_constructor) @name) @reference.type
