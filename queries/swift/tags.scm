; Tags of a Swift file: definitions only, so references come from the lexer.

; Structures, enumerations, actors and extensions share the node of classes.
(class_declaration name: (type_identifier) @name.definition.class)
(protocol_declaration name: (type_identifier) @name.definition.interface)

; A subscript has no name, so its parameters stand for it; initialisers are
; named by their keyword.
(class_declaration
  (class_body
    [
      (init_declaration "init" @name.definition.method)
      (deinit_declaration "deinit" @name.definition.method)
      (subscript_declaration
        (parameter (simple_identifier) @name.definition.method))
      (function_declaration name: (simple_identifier) @name.definition.method)
    ]))
(protocol_declaration
  (protocol_body
    [
      (init_declaration "init" @name.definition.method)
      (subscript_declaration
        (parameter (simple_identifier) @name.definition.method))
      (protocol_function_declaration
        name: (simple_identifier) @name.definition.method)
    ]))

; Properties and local variables look the same.
(property_declaration
  (pattern (simple_identifier) @name.definition.property))

; A method is tagged as a function as well, after its tag as a method.
(function_declaration name: (simple_identifier) @name.definition.function)
