; Tags of a Clojure file. There is no syntax for definitions: any list that
; starts with a symbol such as def, defn or defmulti defines its second symbol.

(list_lit
  meta: _*
  . (sym_lit name: (sym_name) @_form)
  . (sym_lit name: (sym_name) @name.definition.method)
  (#match? @_form "^def"))

; Every symbol counts as a call, the ones above included.
(sym_lit name: (sym_name) @name.reference.call)
