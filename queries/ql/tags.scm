; Tags of a QL (CodeQL) file. The reference has a query for it but no grammar, so
; this one serves the enhancement profile only.

(module name: (moduleName) @name.definition.module)

; Classes, algebraic datatypes and the branches of those.
[
  (dataclass name: (className) @name.definition.class)
  (datatype name: (className) @name.definition.class)
  (datatypeBranch name: (className) @name.definition.class)
]

; A predicate of a class is a method. The characteristic predicate of a class is
; left out: it repeats the name of the class.
(classlessPredicate name: (predicateName) @name.definition.function)
(memberPredicate name: (predicateName) @name.definition.method)

; A call by name, and a call behind a dot.
[
  (aritylessPredicateExpr name: (literalId) @name.reference.call)
  (qualifiedRhs name: (predicateName) @name.reference.call)
]

(typeExpr name: (className) @name.reference.type)
