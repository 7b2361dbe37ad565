; Tags of a Julia file. The query of the reference does not compile for the pinned
; grammar, so this one follows the grammar alone and serves the enhancement
; profile only.

(module_definition name: (identifier) @name.definition.module)

; A type is named in its head, alone or followed by parameters, and in both cases
; perhaps by a supertype.
(type_head
  [
    (identifier) @name.definition.class
    (parametrized_type_expression . (identifier) @name.definition.class)
    (binary_expression
      . [
        (identifier) @name.definition.class
        (parametrized_type_expression . (identifier) @name.definition.class)
      ])
  ])

; The head of a function is a bare name or a call. A return type, a "where", or
; both may be wrapped around the call. What is called is a name, an operator, or
; the last part of a dotted name.
(function_definition
  (signature
    [
      (identifier) @name.definition.function
      (call_expression . [(identifier) (operator)] @name.definition.function)
      (call_expression . (field_expression (identifier) @name.definition.function .))
      (_ . (call_expression . [(identifier) (operator)] @name.definition.function))
      (_ . (call_expression
        . (field_expression (identifier) @name.definition.function .)))
      (_ . (_ . (call_expression
        . [(identifier) (operator)] @name.definition.function)))
      (_ . (_ . (call_expression
        . (field_expression (identifier) @name.definition.function .))))
    ]))

; The short form assigns to such a head.
(assignment
  . [
    (call_expression . [(identifier) (operator)] @name.definition.function)
    (call_expression . (field_expression (identifier) @name.definition.function .))
    (typed_expression
      . (call_expression . [(identifier) (operator)] @name.definition.function))
    (typed_expression
      . (call_expression
        . (field_expression (identifier) @name.definition.function .)))
    (where_expression
      . (call_expression . [(identifier) (operator)] @name.definition.function))
    (where_expression
      . (call_expression
        . (field_expression (identifier) @name.definition.function .)))
    (where_expression
      . (typed_expression
        . (call_expression . [(identifier) (operator)] @name.definition.function)))
  ])

(macro_definition
  (signature (call_expression . (identifier) @name.definition.macro)))

; Constants, alone, typed, or several at once.
(const_statement
  (assignment
    . [
      (identifier) @name.definition.constant
      (typed_expression . (identifier) @name.definition.constant)
      (open_tuple (identifier) @name.definition.constant)
    ]))

; Calls, plain and broadcast. The heads above are calls in the tree, so a defined
; name refers to itself as well.
[
  (call_expression
    . [
      (identifier) @name.reference.call
      (field_expression (identifier) @name.reference.call .)
      (parametrized_type_expression . (identifier) @name.reference.call)
    ])
  (broadcast_call_expression
    . [
      (identifier) @name.reference.call
      (field_expression (identifier) @name.reference.call .)
    ])
  (macrocall_expression (macro_identifier (identifier) @name.reference.call))
  (macrocall_expression
    (field_expression (macro_identifier (identifier) @name.reference.call)))
]
(binary_expression
  (operator) @_pipe
  . (identifier) @name.reference.call
  (#any-of? @_pipe "|>" ".|>"))

; Types behind "::" and "<:", and the parameters of other types.
(typed_expression
  "::"
  . [
    (identifier) @name.reference.type
    (field_expression (identifier) @name.reference.type .)
    (parametrized_type_expression . (identifier) @name.reference.type)
  ])
(binary_expression
  (operator) @_subtype
  . [
    (identifier) @name.reference.type
    (parametrized_type_expression . (identifier) @name.reference.type)
  ]
  (#eq? @_subtype "<:"))
(curly_expression (identifier) @name.reference.type)

; Modules that are loaded, and names that are exported. The first part of a
; selection is the module, those after it are names out of it.
[
  (using_statement (identifier) @name.reference.module)
  (import_statement (identifier) @name.reference.module)
  (import_path (identifier) @name.reference.module .)
  (selected_import . (identifier) @name.reference.module)
]
(export_statement (identifier) @name.reference.export)
