#lang racket/base

;; Gold labels of Racket files from the language's own reader.
;;
;; Usage: racket oracle.rkt --root DIR
;; Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.
;;
;; A file is read and not expanded; `#lang` reads it by the reader of that language. A definition is a form
;; at the top of a module, of a submodule or in `begin`, whose word begins with `define` or `struct` and is
;; exported by one of the libraries below, or is a macro of the project whose template has such a form for
;; its first part. The module that `#lang` makes of a file is a symbol, and what is in it has no parent; what
;; is in a submodule has that as its parent.

(require json racket/list racket/path racket/port racket/string setup/dirs)

(define root
  (let ([found (member "--root" (vector->list (current-command-line-arguments)))])
    (if (and found (pair? (cdr found))) (cadr found) ".")))

(define libraries
  '(racket racket/unit racket/contract racket/match racket/generic racket/runtime-path racket/require-syntax
    racket/provide-syntax racket/performance-hint racket/stxparam ffi/unsafe ffi/unsafe/define syntax/parse
    syntax/parse/define racket/serialize racket/splicing parser-tools/lex parser-tools/yacc typed/racket))

;; What these words define has other names than the one behind them.
(define others '(define-logger define-local-member-name define-member-name define-namespace-anchor))

(define definers
  (for*/hasheq ([library libraries]
                [exports (let-values ([(values syntaxes)
                                       (begin (dynamic-require library (void)) (module->exports library))])
                           (append values syntaxes))]
                [export (cdr exports)]
                #:when (regexp-match? #rx"^(define|struct)" (symbol->string (car export)))
                #:unless (memq (car export) others))
    (values (car export) #t)))

;; Kinds of what macros of the project define, by name; `plain` is what their use says, as with `define`.
(define project (make-hasheq))

(define (kind-of word function?)
  (define text (symbol->string word))
  (cond [(hash-ref project word #f)
         => (lambda (kind) (if (eq? kind 'plain) (if function? "function" "variable") kind))]
        [(not (hash-ref definers word #f)) #f]
        [(regexp-match? #rx"^(struct|define-struct|define-serializable-struct)" text) "struct"]
        [(regexp-match? #rx"^define-(serializable-)?class" text) "class"]
        [(regexp-match? #rx"^define-generics|^define-signature" text) "interface"]
        [(regexp-match? #rx"^define-type" text) "type"]
        [(regexp-match? #rx"^define-(simple-)?(syntax|match-expander|sequence-syntax|require-syntax|provide-syntax)" text)
         "macro"]
        [function? "function"]
        [else "variable"]))

;;; Reading

(define (read-file path)
  (define text (call-with-input-file path port->bytes))
  (define port (open-input-bytes text path))
  (port-count-lines! port)
  (parameterize ([read-accept-reader #t] [read-accept-lang #t] [read-accept-compiled #f]
                 [current-load-relative-directory (path-only (path->complete-path path))])
    (let loop ([found '()])
      (define form (read-syntax path port))
      (if (eof-object? form) (reverse found) (loop (cons form found))))))

(define (parts form)
  (define inner (and (syntax? form) (syntax->list form)))
  (and (pair? inner) inner))

(define (word-of form)
  (define inner (parts form))
  (and inner (identifier? (car inner)) (syntax-e (car inner))))

;; The name in `name`, `(name argument ...)` or `((name a) b)`; and whether there are arguments.
(define (target stx [list? #f])
  (cond [(identifier? stx) (values stx list?)]
        [(and (syntax? stx) (pair? (syntax-e stx))) (target (car (syntax-e stx)) #t)]
        [else (values #f #f)]))

(define (lambda? form)
  (memq (word-of form) '(lambda λ case-lambda opt-lambda)))

;;; What macros of the project define

(define (datum-parts datum)
  (if (pair? datum) (cons (car datum) (datum-parts (cdr datum))) '()))

(define (first-name datum)
  (if (pair? datum) (first-name (car datum)) datum))

(define (all-lists datum)
  (if (pair? datum)
      (cons datum (append-map all-lists (datum-parts datum)))
      '()))

(define (note-macro form)
  (define datum (syntax->datum form))
  (when (and (pair? datum) (pair? (cdr datum)) (pair? (cddr datum))
             (memq (car datum) '(define-syntax-rule define-syntax define-simple-macro define-syntax-parse-rule)))
    (define name (first-name (cadr datum)))
    (define lists (all-lists datum))
    (define variables
      (for/list ([one lists]
                 #:when (memq (car one) (list '_ name))
                 #:when (pair? (cdr one)))
        (let ([variable (first-name (cadr one))])
          ;; `name:id` is the variable `name` of a class.
          (if (symbol? variable)
              (string->symbol (car (string-split (string-append (symbol->string variable) " ") ":")))
              variable))))
    (define trimmed
      (for/list ([one variables] #:when (symbol? one)) (string->symbol (string-trim (symbol->string one)))))
    (define templates
      (for/list ([one lists]
                 #:when (and (symbol? (car one)) (pair? (cdr one)) (hash-ref definers (car one) #f)
                             (memq (first-name (cadr one)) trimmed)))
        (cons (kind-of (car one) (pair? (cadr one))) (pair? (cadr one)))))
    (define listed?
      (for/or ([one lists] #:when (memq (car one) (list '_ name)))
        (and (pair? (cdr one)) (pair? (cadr one)))))
    (when (and (symbol? name) (pair? templates) (regexp-match? #rx"^(define|struct)" (symbol->string name)))
      (define kind (car (car templates)))
      (define plain?
        (and (member kind '("function" "variable"))
             (or listed? (for/or ([one templates]) (not (cdr one))))))
      (hash-set! project name (if plain? 'plain kind))))
  ;; `(define-ffi-definer define-x library)` makes a word that defines.
  (when (and (pair? datum) (eq? (car datum) 'define-ffi-definer) (pair? (cdr datum)) (symbol? (cadr datum)))
    (hash-set! project (cadr datum) 'plain)))

(define (survey)
  (for ([path (in-directory root)]
        #:when (regexp-match? #rx"[.]rkt$" (path->string path)))
    (with-handlers ([void void])
      (let visit ([forms (read-file path)])
        (for ([form forms])
          (note-macro form)
          (when (memq (word-of form) '(module module* module+ begin begin-for-syntax #%module-begin))
            (visit (cdr (parts form)))))))))

;;; Labels

(define (last-line stx text-lines)
  (define position (syntax-position stx))
  (define span (syntax-span stx))
  (if (and position span)
      (vector-ref text-lines (max 0 (min (sub1 (vector-length text-lines)) (+ position span -2))))
      (syntax-line stx)))

;; For each character its line.
(define (character-lines path)
  (define text (bytes->string/utf-8 (call-with-input-file path port->bytes) #\?))
  (define lines (make-vector (add1 (string-length text)) 1))
  (for/fold ([line 1]) ([char text] [index (in-naturals)])
    (vector-set! lines index line)
    (if (char=? char #\newline) (add1 line) line))
  lines)

(define collections
  (for*/hash ([folder (append (current-library-collection-paths)
                              (if (find-pkgs-dir) (list (find-pkgs-dir)) '())
                              (if (and (find-pkgs-dir) (directory-exists? (find-pkgs-dir)))
                                  (directory-list (find-pkgs-dir) #:build? #t)
                                  '()))]
              #:when (directory-exists? folder)
              [name (directory-list folder)])
    (values (path->string name) #t)))

(define (category path)
  (if (hash-ref collections (car (string-split path "/" #:trim? #f)) #f) "stdlib" "third_party"))

(define (imports-of spec)
  (define (import path category) (list (list path category (syntax-line spec))))
  (define datum (syntax-e spec))
  (cond
    [(string? datum) (import datum "local")]
    [(symbol? datum) (import (symbol->string datum) (category (symbol->string datum)))]
    [else
     (define inner (or (parts spec) '()))
     (define rest (if (pair? inner) (cdr inner) '()))
     (case (word-of spec)
       [(prefix-in) (if (> (length rest) 1) (imports-of (cadr rest)) '())]
       [(only-in except-in rename-in submod) (if (pair? rest) (imports-of (car rest)) '())]
       [(lib)
        (define words (filter string? (map syntax-e rest)))
        (if (pair? words) (import (car words) (category (last words))) '())]
       [(file) (import (syntax-e (car rest)) "local")]
       [(for-meta only-meta-in just-meta-in) (if (pair? rest) (append-map imports-of (cdr rest)) '())]
       [(quote)
        (define name (format "~a" (syntax->datum (car rest))))
        ;; A module of the machine, or one of the file.
        (import name (if (string-prefix? name "#%") "stdlib" "local"))]
       [(planet) '()]
       [else (append-map imports-of rest)])]))

(define (labels path)
  (define lines (character-lines path))
  (define symbols '())
  (define imports '())
  (define (add name kind line form parent)
    (set! symbols
          (cons (hasheq 'name (format "~a" name) 'kind kind 'line line 'decl_line (min line (syntax-line form))
                        'end_line (max line (last-line form lines)) 'parent (or parent (json-null)))
                symbols)))
  (define (visit form parent)
    (define inner (parts form))
    (define word (word-of form))
    (cond
      [(not word) (void)]
      [(memq word '(begin begin-for-syntax #%module-begin))
       (for ([one (cdr inner)]) (visit one parent))]
      [(and (memq word '(module module* module+)) (pair? (cdr inner)) (identifier? (cadr inner)))
       (define name (syntax-e (cadr inner)))
       (add name "module" (syntax-line (cadr inner)) form parent)
       (for ([one (cddr inner)]) (visit one (symbol->string name)))]
      [(eq? word 'require)
       (for* ([spec (cdr inner)] [one (imports-of spec)])
         (set! imports (cons (hasheq 'path (car one) 'names '() 'category (cadr one) 'line (caddr one)) imports)))]
      [(and (memq word '(define-values define-syntaxes define-values-for-syntax)) (pair? (cdr inner)))
       (for ([name (or (syntax->list (cadr inner)) '())] #:when (identifier? name))
         (add (syntax-e name) (if (eq? word 'define-syntaxes) "macro" "variable") (syntax-line name) form parent))]
      [(pair? (cdr inner))
       (define-values (name arguments?) (target (cadr inner)))
       (define function?
         (or arguments? (and (pair? (cddr inner)) (lambda? (caddr inner)))))
       (define kind (kind-of word function?))
       (when (and kind name)
         (add (syntax-e name) kind (syntax-line name) form parent))]))
  (for ([form (read-file path)])
    (define inner (parts form))
    (cond
      ;; What `#lang` makes: the name of the module is not in the file.
      [(and (eq? (word-of form) 'module) (> (length inner) 2)
            (regexp-match? #px"^(\\s|;[^\n]*\n|#!/[^\n]*\n|#\\|.*?\\|#)*#(lang|!)"
                           (call-with-input-file path port->bytes)))
       (define name (syntax-e (cadr inner)))
       (add name "module" (lang-line path) form #f)
       (for ([one (cdddr inner)]) (visit one #f))]
      [else (visit form #f)]))
  (values (reverse symbols) (reverse imports)))

(define (lang-line path)
  (call-with-input-file path
    (lambda (port)
      (or (for/first ([line (in-lines port)] [number (in-naturals 1)]
                      #:when (regexp-match? #rx"^#(lang|![a-z])" line))
            number)
          1))))

(define (answer file)
  (define path (build-path root file))
  (define base
    (hasheq 'file file 'language "racket" 'oracle (format "Racket ~a read-syntax" (version)) 'parse_errors 0
            'error (json-null) 'symbols '() 'imports '()))
  (if (not (file-exists? path))
      (hash-set base 'error "no such file")
      (with-handlers ([void (lambda (failure) (hash-set base 'parse_errors 1))])
        (define-values (symbols imports) (labels path))
        (hash-set* base 'symbols symbols 'imports imports))))

(survey)
(for ([file (in-lines)] #:unless (string=? file ""))
  (write-json (answer file))
  (newline)
  (flush-output))
