; Tags of a shell script: its functions, and the commands that it calls.

(function_definition name: (word) @name.definition.function)

; Commands of every shell are no reference to a function of that name somewhere else.
((command name: (command_name (word) @name.reference.call))
  (#not-eq? @name.reference.call "cd")
  (#not-eq? @name.reference.call "echo")
  (#not-eq? @name.reference.call "eval")
  (#not-eq? @name.reference.call "exec")
  (#not-eq? @name.reference.call "exit")
  (#not-eq? @name.reference.call "export")
  (#not-eq? @name.reference.call "local")
  (#not-eq? @name.reference.call "printf")
  (#not-eq? @name.reference.call "read")
  (#not-eq? @name.reference.call "return")
  (#not-eq? @name.reference.call "set")
  (#not-eq? @name.reference.call "shift")
  (#not-eq? @name.reference.call "source")
  (#not-eq? @name.reference.call "test")
  (#not-eq? @name.reference.call "trap")
  (#not-eq? @name.reference.call "true")
  (#not-eq? @name.reference.call "wait"))
