; Tags of a Common Lisp file. A symbol may carry a package, which is part of its
; name. Symbols are read without regard to case, and "cl:" may stand before them.

; The header node covers defun, defmacro, defmethod and the like.
(defun_header function_name: (sym_lit) @name.definition.function)

; A list that starts with a symbol is a call. This includes parameter lists and
; bindings: nothing in the tree sets them apart.
(list_lit . [(package_lit) (sym_lit)] @name.reference.call)

(list_lit
  . [(package_lit) (sym_lit)] @_form
  . [(package_lit) (sym_lit)] @name.definition.class
  (#match? @_form "(?i)^(cl:)?defclass$"))

; An instance is made of a quoted class name.
(list_lit
  . [(package_lit) (sym_lit)] @_form
  . (quoting_lit [(package_lit) (sym_lit)] @name.reference.class)
  (#match? @_form "(?i)^(cl:)?make-instance$"))
