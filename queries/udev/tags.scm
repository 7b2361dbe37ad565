; Tags of a udev rules file: jump labels and environment variables.

(assignment
  key: "LABEL"
  (value (content) @name.definition.label))
(assignment
  key: "GOTO"
  (value (content) @name.reference.label))

; A variable is set by an assignment, and used by a comparison or a substitution.
(assignment
  key: "ENV"
  (env_var) @name.definition.variable)
[
  (match
    key: "ENV"
    (env_var) @name.reference.variable)
  (var_sub (env_var) @name.reference.variable)
]
