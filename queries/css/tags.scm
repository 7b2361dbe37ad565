; Tags of a style sheet: the classes and ids that its rules begin with, its custom properties, and its
; animations. Elements are no tags: every sheet has rules for them, and they would tie all sheets to each
; other. A class inside a longer selector is a use of it.

(selectors (class_selector (class_name) @name.definition.class))
(selectors (id_selector (id_name) @name.definition.id))
(keyframes_statement (keyframes_name) @name.definition.animation)

((declaration (property_name) @name.definition.property)
  (#match? @name.definition.property "^--"))

; `var(--a)`.
((arguments (plain_value) @name.reference.property)
  (#match? @name.reference.property "^--"))

(descendant_selector (class_selector (class_name) @name.reference.class))
(child_selector (class_selector (class_name) @name.reference.class))
(sibling_selector (class_selector (class_name) @name.reference.class))
(adjacent_sibling_selector (class_selector (class_name) @name.reference.class))

; The animation of a rule stands among other words, of which a name is the only one that can match.
((declaration (property_name) @_property (plain_value) @name.reference.animation)
  (#any-of? @_property "animation" "animation-name"))
