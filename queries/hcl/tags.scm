; Tags of an HCL (Terraform) file. The reference means to look at the keyword of
; a block and at the root of a reference, but writes its predicates outside of
; the patterns, where they filter nothing. So each label of a block has a tag of
; every kind, and so has each attribute behind a dot.

; The helper captures read nothing. They keep overlapping matches in broken files
; apart, as the reference's own captures do: the engine merges matches of one
; pattern that have captured the same nodes.

; The second label of a block is a resource before it is anything else. One node
; takes three captures at most, hence a pattern for the fourth kind.
(block
  (identifier) @_keyword
  (string_lit (template_literal) @_first)
  (string_lit (template_literal) @name.definition.resource)
  (body) @_body)
(block
  (identifier) @_keyword
  (string_lit
    (template_literal)
      @name.definition.module
      @name.definition.variable
      @name.definition.output)
  (body) @_body)
(block
  (identifier) @_keyword
  (string_lit (template_literal) @name.definition.provider)
  (body) @_body)

; Attributes right inside any block.
(block
  (identifier) @_keyword
  (body
    (attribute
      (identifier) @name.definition.local
      (expression) @_value)+))

; Attributes behind a dot; from the second on they may be data as well.
((variable_expr) @_root
  (get_attr
    (identifier)
      @name.reference.variable
      @name.reference.local
      @name.reference.module))
((variable_expr) @_root
  (get_attr (identifier) @_first)
  (get_attr (identifier) @name.reference.data))
((variable_expr) @_root
  (get_attr (identifier) @name.reference.resource))
