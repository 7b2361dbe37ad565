; Tags of an Objective-C file: classes, protocols, methods, properties, and the types and functions of C;
; the messages that are sent, the functions that are called, and the types that are named.

; The name is the first word; a category names the class that it adds to.
(class_interface . (identifier) @name.definition.class)
(class_implementation . (identifier) @name.definition.class)
(protocol_declaration . (identifier) @name.definition.interface)

; A method goes by the first word of its selector.
(method_declaration (method_type) . (identifier) @name.definition.method)
(method_definition (method_type) . (identifier) @name.definition.method)

(property_declaration
  (struct_declaration
    (struct_declarator
      [
        (identifier) @name.definition.property
        (pointer_declarator declarator: (identifier) @name.definition.property)
      ])))

(function_declarator declarator: (identifier) @name.definition.function)
(struct_specifier name: (type_identifier) @name.definition.type body: (_))
(enum_specifier name: (type_identifier) @name.definition.type body: (_))
(type_definition declarator: (type_identifier) @name.definition.type)

(message_expression receiver: (_) . method: (identifier) @name.reference.call)
(message_expression receiver: (identifier) @name.reference.class)
(call_expression function: (identifier) @name.reference.call)
(class_interface superclass: (identifier) @name.reference.class)
(protocol_reference_list (identifier) @name.reference.interface)
(class_declaration (identifier) @name.reference.class)
(type_name (type_identifier) @name.reference.type)
(struct_declaration (type_identifier) @name.reference.type)
(declaration type: (type_identifier) @name.reference.type)
(parameter_declaration type: (type_identifier) @name.reference.type)
