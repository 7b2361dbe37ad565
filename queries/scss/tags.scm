; Tags of a style sheet in a language that is compiled to CSS: mixins, functions, variables, placeholders,
; the classes and ids that rules begin with, custom properties and animations. Elements are no tags: every
; sheet has rules for them, and they would tie all sheets to each other.

(mixin_statement name: (identifier) @name.definition.mixin)
(function_statement name: (identifier) @name.definition.function)
(selectors (placeholder (identifier) @name.definition.placeholder))
(selectors (class_selector (class_name) @name.definition.class))
(selectors (id_selector (id_name) @name.definition.id))
(keyframes_statement (keyframes_name) @name.definition.animation)

; `$a: 1px`, `@a: 1px` and `--a: 1px`; the variables inside rules, too, as they may be meant for others.
((declaration (property_name) @name.definition.variable)
  (#match? @name.definition.variable "^([$@]|--)"))

(include_statement (identifier) @name.reference.mixin)
(call_expression (function_name) @name.reference.function)
(variable) @name.reference.variable
(extend_statement (class_selector (class_name) @name.reference.class))

; `var(--a)`.
((arguments (plain_value) @name.reference.variable)
  (#match? @name.reference.variable "^--"))
((argument value: (plain_value) @name.reference.variable)
  (#match? @name.reference.variable "^--"))

; The grammar does not know that a placeholder can be extended.
(ERROR (placeholder (identifier) @name.reference.placeholder))
