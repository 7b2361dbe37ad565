;;; oracle.el --- Gold labels of Emacs Lisp from the editor's own reader -*- lexical-binding: t -*-

;; Usage: emacs -Q --batch -l oracle.el --root DIR
;; Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.
;;
;; Nothing of a file is evaluated.  A form defines something if the editor says so: its first word
;; has the property `doc-string-elt', the place of the docstring of what it defines.  Macros of other
;; packages are not known.  Top level is what the byte compiler takes for it: also the body of
;; `progn', `prog1', `with-no-warnings', `eval-when-compile' and `eval-and-compile'.  `(defvar NAME)'
;; without a value defines nothing.

;;; Code:

(require 'json)
(dolist (library '(advice cl-generic cl-lib cl-macs compile derived easy-mmode easymenu eieio ert
                   generic gv inline pcase skeleton transient wid-edit))
  (require library))

(defconst oracle-root
  (if (equal (car command-line-args-left) "--root") (nth 1 command-line-args-left) "."))
(setq command-line-args-left nil)

(defconst oracle-wrappers '(progn prog1 with-no-warnings eval-when-compile eval-and-compile))

(defconst oracle-kinds
  '((defmacro . "macro") (cl-defmacro . "macro") (pcase-defmacro . "macro")
    (cl-defmethod . "method") (defmethod . "method")
    (cl-defstruct . "struct") (defclass . "class") (cl-deftype . "type")
    (defconst . "constant")
    (defvar . "variable") (defvar-local . "variable") (defcustom . "variable")
    (defface . "variable") (defgroup . "variable") (deftheme . "variable")
    (defimage . "variable") (defvaralias . "variable")
    (define-obsolete-variable-alias . "variable") (define-abbrev-table . "variable")
    (define-widget . "variable") (easy-menu-define . "variable"))
  "Kinds of definitions; every other one is a function.")

;; Not definitions of a name in the file, though they have a docstring.
(defconst oracle-others '(lambda pcase-lambda autoload define-category defadvice define-advice))

(defconst oracle-libraries
  (file-name-directory (directory-file-name (file-name-directory (locate-library "cl-lib")))))

(defconst oracle-features
  (let ((found (make-hash-table :test 'equal)))
    (dolist (file (directory-files-recursively oracle-root "\\.el\\'") found)
      (puthash (file-name-base file) t found)))
  "The names of the libraries below the root.")

(defun oracle-category (feature)
  (let ((library (locate-library feature)))
    (cond ((gethash feature oracle-features) "local")
          ((or (featurep (intern feature))
               (and library (string-prefix-p oracle-libraries library)))
           "stdlib")
          (t "third_party"))))

(defun oracle-name (form)
  "The symbol that FORM names: plain, quoted or with options; else nil."
  (when (eq (car-safe form) 'quote) (setq form (car-safe (cdr form))))
  (when (consp form) (setq form (car form)))
  (and form (symbolp form) form))

(defun oracle-open (place)
  "Move to the first element in the list at PLACE."
  (goto-char place)
  (forward-comment (buffer-size))
  (and (eq (char-after) ?\() (progn (forward-char 1) t)))

(defun oracle-labels ()
  "Symbols and imports of the buffer."
  (let ((waiting (list (point-min))) symbols imports)
    ;; Each entry is where a row of forms begins; a row ends with its list or with the buffer.
    (while waiting
      (goto-char (pop waiting))
      (while (progn (forward-comment (buffer-size))
                    (not (or (eobp) (eq (char-after) ?\)))))
        (let* ((start (point))
               (form (read (current-buffer)))
               (end (point))
               (word (car-safe form)))
          (cond
           ((not (and (symbolp word) (consp (cdr-safe form)))))
           ((memq word oracle-wrappers)
            (when (oracle-open start) (read (current-buffer)) (push (point) waiting)))
           ((eq word 'require)
            (let ((feature (oracle-name (nth 1 form))))
              (when (and feature (eq (car-safe (nth 1 form)) 'quote))
                (push `((path . ,(symbol-name feature)) (names . ["*"])
                        (category . ,(oracle-category (symbol-name feature)))
                        (line . ,(line-number-at-pos start)))
                      imports))))
           ((and (function-get word 'doc-string-elt)
                 (not (memq word oracle-others))
                 (not (and (memq word '(defvar defvar-local)) (null (cddr form)))))
            (let ((name (oracle-name (nth 1 form))))
              (when (and name (oracle-open start))
                (read (current-buffer))
                (forward-comment (buffer-size))
                (push `((name . ,(symbol-name name))
                        (kind . ,(alist-get word oracle-kinds "function"))
                        (line . ,(line-number-at-pos))
                        (decl_line . ,(line-number-at-pos start))
                        (end_line . ,(line-number-at-pos end)))
                      symbols)))))
          (goto-char end))))
    (cons (vconcat (nreverse symbols)) (vconcat (nreverse imports)))))

(defun oracle-answer (file)
  (let ((path (expand-file-name file oracle-root))
        (failed 0) (error :json-null) (found '([] . [])))
    (if (not (file-readable-p path))
        (setq error "no such file")
      (with-temp-buffer
        (let ((coding-system-for-read 'utf-8-unix)) (insert-file-contents path))
        (with-syntax-table emacs-lisp-mode-syntax-table
          (setq-local parse-sexp-ignore-comments t)
          (condition-case nil (setq found (oracle-labels)) (error (setq failed 1))))))
    `((file . ,file) (language . "elisp") (oracle . ,(concat "Emacs " emacs-version " read"))
      (parse_errors . ,failed) (error . ,error)
      (symbols . ,(car found)) (imports . ,(cdr found)))))

(let ((coding-system-for-write 'utf-8) (json-null :json-null) (gc-cons-threshold 50000000) file)
  (while (setq file (condition-case nil (read-from-minibuffer "") (error nil)))
    (unless (string-empty-p file)
      (princ (concat (json-encode (oracle-answer file)) "\n")))))
(kill-emacs 0)

;;; oracle.el ends here
