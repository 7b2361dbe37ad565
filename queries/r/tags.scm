; Tags of an R file.

; A function has no name of its own: it is the variable that it is assigned to.
(binary_operator
  lhs: (identifier) @name.definition.function
  operator: ["<-" "="]
  rhs: (function_definition))

(call
  function: [
    (identifier) @name.reference.call
    (namespace_operator rhs: (identifier) @name.reference.call)
  ])
