; Tags of a Python file: classes, functions and methods, module constants, calls.

; A call refers to its callee: a bare name, or the last part of a dotted one.
(call
  function: [
    (identifier) @name.reference.call
    (attribute attribute: (identifier) @name.reference.call)
  ])

; Methods are functions here as well: the tree has one node kind for both.
(function_definition name: (identifier) @name.definition.function)
(class_definition name: (identifier) @name.definition.class)

; The pinned grammar puts an assignment straight into the module, so this
; pattern stays silent on it. It is kept because the reference has it.
(module
  (expression_statement
    (assignment left: (identifier) @name.definition.constant)))
