; Tags of a MATLAB file.

(class_definition name: (identifier) @name.definition.class)
(function_definition name: (identifier) @name.definition.function)

; A call with parentheses, and the command form without.
[
  (function_call name: (identifier) @name.reference.call)
  (command (command_name) @name.reference.call)
]
