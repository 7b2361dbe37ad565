; Tags of a Tcl script: its procedures, namespaces, classes and methods, and the commands that it calls.
; A name counts as it is written, with its namespace or without.

(procedure name: (_) @name.definition.function)

((namespace (word_list . (simple_word) @_eval . (simple_word) @name.definition.namespace))
  (#eq? @_eval "eval"))

((command
  name: (simple_word) @_class
  arguments: (word_list . (simple_word) @_create . (simple_word) @name.definition.class))
  (#any-of? @_class "oo::class" "::oo::class")
  (#eq? @_create "create"))

((command
  name: (simple_word) @_class
  arguments: (word_list . (simple_word) @name.definition.class))
  (#any-of? @_class "itcl::class" "::itcl::class"))

((command
  name: (simple_word) @_method
  arguments: (word_list . (simple_word) @name.definition.method . (braced_word)))
  (#eq? @_method "method"))

(command name: (simple_word) @name.reference.call)

; `my name` and `$object name` call a method.
((command
  name: (simple_word) @_my
  arguments: (word_list . (simple_word) @name.reference.call))
  (#eq? @_my "my"))
(command
  name: (variable_substitution)
  arguments: (word_list . (simple_word) @name.reference.call))
