; Tags of a Ruby file: classes, modules, methods and everything that may be a call.

; A method may be named by an operator, a constant or a setter: any node counts.
[
  (method name: (_) @name.definition.method)
  (singleton_method name: (_) @name.definition.method)
  (alias name: (_) @name.definition.method)
]

; Of a scoped name such as Outer::Inner only the last part counts.
[
  (class
    name: [
      (scope_resolution name: (_) @name.definition.class)
      (constant) @name.definition.class
    ])
  (singleton_class
    value: [
      (scope_resolution name: (_) @name.definition.class)
      (constant) @name.definition.class
    ])
]

(module
  name: [
    (scope_resolution name: (_) @name.definition.module)
    (constant) @name.definition.module
  ])

(call method: (identifier) @name.reference.call)

; Whether a name is a variable or a call cannot be seen in the tree, so every
; name is a call, except for a few that load code or stand for a position.
([(constant) (identifier)] @name.reference.call
  (#not-eq? @name.reference.call "lambda")
  (#not-eq? @name.reference.call "load")
  (#not-eq? @name.reference.call "require")
  (#not-eq? @name.reference.call "require_relative")
  (#not-eq? @name.reference.call "__FILE__")
  (#not-eq? @name.reference.call "__LINE__"))
