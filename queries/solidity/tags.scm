; Tags of a Solidity file.

[
  (contract_declaration name: (identifier) @name.definition.class)
  (library_declaration name: (identifier) @name.definition.class)
  (struct_declaration name: (identifier) @name.definition.class)
  (enum_declaration name: (identifier) @name.definition.class)
  (event_definition name: (identifier) @name.definition.class)
]
(interface_declaration name: (identifier) @name.definition.interface)

; Functions of a contract and free ones. Those of libraries and interfaces are
; left out by the reference.
[
  (contract_declaration
    (_ (function_definition name: (identifier) @name.definition.function)))
  (source_file
    (function_definition name: (identifier) @name.definition.function))
]

; A call of a name, or of a member.
(call_expression (expression (identifier)) @name.reference.call)
(call_expression
  (expression (member_expression property: (_) @name.reference.method)))

; An emitted event and a base contract are both created from a declaration.
(emit_statement name: (_) @name.reference.class)
(inheritance_specifier
  ancestor: (user_defined_type (_) @name.reference.class .))

(import_directive import_name: (_) @name.reference.module)
