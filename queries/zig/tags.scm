; Tags of a Zig file: definitions only, so references come from the lexer.

; The whole head of a function is its name, and the keyword that of a variable:
; the reference captures those nodes instead of the identifiers.
(FnProto) @name.definition.function
(VarDecl "const" @name.definition.constant)
(VarDecl "var" @name.definition.variable)
