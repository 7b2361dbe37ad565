; Tags of an Arduino sketch: functions and plain calls. Methods have none.

(function_declarator declarator: (identifier) @name.definition.function)
(call_expression function: (identifier) @name.reference.call)
