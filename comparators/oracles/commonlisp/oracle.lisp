;;;; Gold labels of Common Lisp files from SBCL's own reader.
;;;;
;;;; Usage: sbcl --script oracle.lisp --root DIR
;;;; Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.
;;;;
;;;; Nothing of a file is evaluated: `#.` reads its form and drops it, and a package that a file names is
;;;; made empty. Features are those of this SBCL. A definition is a top-level form, also in `progn`,
;;;; `eval-when`, `locally`, `macrolet` and `symbol-macrolet`, whose operator is a defining one of the
;;;; standard, or a macro of the project whose template has such a form for its first parameter. Names
;;;; are without packages, in lower case unless they are mixed.

(defpackage #:oracle (:use #:common-lisp) (:export #:main))
(in-package #:oracle)
(setf sb-impl::*default-external-format* :utf-8
      sb-alien::*default-c-string-external-format* :utf-8)
(setf *compile-verbose* nil)
(declaim (sb-ext:muffle-conditions warning))

(defparameter *definers*
  '((defun . "function") (defgeneric . "function") (defsetf . "function")
    (define-setf-expander . "function") (define-method-combination . "function")
    (defmethod . "method")
    (defmacro . "macro") (define-compiler-macro . "macro") (define-modify-macro . "macro")
    (define-symbol-macro . "macro")
    (defclass . "class") (defstruct . "struct") (deftype . "type") (define-condition . "exception")
    (defvar . "variable") (defparameter . "variable") (defconstant . "constant")
    (defpackage . "package"))
  "The standard's defining operators.")

(defparameter *root* (or (second (member "--root" sb-ext:*posix-argv* :test #'string=)) "."))

(defvar *project* (make-hash-table :test #'equal) "Kinds of what macros of the project define, by name.")

;;; Reading

(defun fresh-readtable ()
  (let ((table (copy-readtable nil)))
    (set-dispatch-macro-character
     #\# #\. (lambda (stream char count) (declare (ignore char count)) (read stream t nil t) nil) table)
    table))

(defun next-form (stream)
  "The next form of STREAM, or the stream at its end. A missing package is made and the form read again."
  (let ((start (file-position stream)))
    (loop
      (let ((missing
              (block attempt
                (handler-bind
                    ((sb-int:simple-reader-package-error
                       (lambda (condition)
                         (let ((name (package-error-package condition)))
                           (cond ((and (stringp name) (not (find-package name)))
                                  (return-from attempt name))
                                 ;; The symbol is not external there.
                                 ((find-restart 'continue condition)
                                  (invoke-restart 'continue)))))))
                  (return-from next-form (read stream nil stream))))))
        (make-package missing :use nil)
        (file-position stream start)))))

(defun skip-block (stream)
  "Moves behind a comment in bars, which may have others in it."
  (let ((depth 1) (last nil))
    (loop while (plusp depth)
          do (let ((now (read-char stream)))
               (cond ((and (eql last #\|) (eql now #\#)) (decf depth) (setf last nil))
                     ((and (eql last #\#) (eql now #\|)) (incf depth) (setf last nil))
                     (t (setf last now)))))))

(defun skip-conditional (stream wanted)
  "Moves behind a feature expression, and behind its form if it does not hold."
  (let ((feature (let ((*package* (find-package "KEYWORD"))) (read stream))))
    (unless (eq wanted (and (sb-int:featurep feature) t))
      (let ((*read-suppress* t)) (read stream)))))

(defun skip-blank (stream)
  "Moves to where the next form begins."
  (loop
    (let ((place (file-position stream)) (char (peek-char t stream nil)))
      (case char
        (#\; (read-line stream nil))
        (#\# (setf place (file-position stream))
         (read-char stream)
         (case (peek-char nil stream nil)
           (#\| (read-char stream) (skip-block stream))
           (#\+ (read-char stream) (skip-conditional stream t))
           (#\- (read-char stream) (skip-conditional stream nil))
           (t (file-position stream place) (return))))
        (t (return))))))

(defun lines-before (text)
  "For each octet of TEXT the number of its line."
  (let ((lines (make-array (1+ (length text)) :element-type 'fixnum)) (line 1))
    (dotimes (index (length text) (progn (setf (aref lines index) line) lines))
      (setf (aref lines index) line)
      (when (= (aref text index) 10) (incf line)))))

(defun octets (path)
  (with-open-file (stream path :element-type '(unsigned-byte 8))
    (let ((text (make-array (file-length stream) :element-type '(unsigned-byte 8))))
      (read-sequence text stream)
      text)))

(defun call-with-forms (path action)
  "Calls ACTION with each form of the file and the places where it begins and ends."
  (with-open-file (stream path :external-format '(:latin-1 :replacement #\?))
    (let ((*readtable* (fresh-readtable)) (*read-eval* nil)
          (*package* (or (find-package "SCRATCH") (make-package "SCRATCH" :use '("COMMON-LISP")))))
      (loop
        (skip-blank stream)
        (let* ((start (file-position stream)) (form (next-form stream)))
          (when (eq form stream) (return))
          (funcall action form start (file-position stream) stream))))))

;;; Names

(defun utf-8 (text)
  "TEXT, which was read octet by octet."
  (handler-case (sb-ext:octets-to-string (sb-ext:string-to-octets text :external-format :latin-1)
                                         :external-format :utf-8)
    (error () text)))

(defun lower (text)
  (utf-8 (if (some #'lower-case-p text) text (string-downcase text))))

(defun name-of (thing)
  "The name that THING gives: that of a symbol or string, `(setf name)`, or the first of a list."
  (cond ((null thing) nil)
        ((symbolp thing) (lower (symbol-name thing)))
        ((stringp thing) (lower thing))
        ((not (consp thing)) nil)
        ((and (eq (first thing) 'setf) (consp (rest thing)) (symbolp (second thing)))
         (format nil "(setf ~a)" (lower (symbol-name (second thing)))))
        ((consp (first thing)) nil)
        (t (name-of (first thing)))))

(defun kind-of (operator)
  (and (symbolp operator) operator
       (or (cdr (assoc operator *definers*))
           (and (string= (symbol-name operator) "DEFSYSTEM") "module")
           (gethash (symbol-name operator) *project*))))

;;; What macros of the project define

(defun commas (thing parameter)
  (and (sb-impl::comma-p thing) (eq (sb-impl::comma-expr thing) parameter)))

(defun template-kind (thing parameter)
  "The kind of the first form in a template that defines what PARAMETER names."
  (cond ((and (consp thing) (symbolp (first thing)) (consp (rest thing))
              (commas (second thing) parameter))
         (or (cdr (assoc (first thing) *definers*))
             (some-kind thing parameter)))
        ((consp thing) (some-kind thing parameter))
        ((and (sb-impl::comma-p thing) (consp (sb-impl::comma-expr thing)))
         (some-kind (sb-impl::comma-expr thing) parameter))))

(defun some-kind (list parameter)
  (loop for rest = list then (cdr rest)
        while (consp rest)
        do (let ((kind (template-kind (car rest) parameter))) (when kind (return kind)))))

(defun note-macro (form)
  (when (and (consp form) (eq (first form) 'defmacro) (consp (rest form)) (symbolp (second form))
             (consp (cddr form)) (consp (third form)))
    (let* ((first (first (third form)))
           (parameter (if (consp first) (first first) first))
           (kind (and parameter (symbolp parameter) (some-kind (cdddr form) parameter))))
      (when kind (setf (gethash (symbol-name (second form)) *project*) kind)))))

(defun survey ()
  "Looks at the macros of all files below the root."
  (dolist (pattern '("**/*.lisp" "**/*.cl" "**/*.lsp" "**/*.asd"))
    (dolist (path (directory (concatenate 'string (string-right-trim "/" *root*) "/" pattern)
                             :resolve-symlinks nil))
      (ignore-errors
       (call-with-forms path (lambda (form start end stream)
                               (declare (ignore start end stream))
                               (note-macro form)))))))

;;; Labels

(defun within (stream start skip end action)
  "Calls ACTION with the forms of the list from START to END after its first SKIP elements."
  (file-position stream start)
  (skip-blank stream)
  (when (eql (read-char stream) #\()
    (dotimes (index skip) (next-form stream))
    (loop
      (skip-blank stream)
      (when (eql (peek-char t stream) #\)) (return))
      (let* ((place (file-position stream)) (form (next-form stream)) (after (file-position stream)))
        (funcall action form place after stream)
        (file-position stream after))))
  (file-position stream end))

(defun labels-of (path)
  (let ((lines (lines-before (octets path))) (symbols '()))
    (labels ((visit (form start end stream)
               (when (and (consp form) (symbolp (first form)) (consp (rest form)))
                 (let ((kind (kind-of (first form))))
                   (cond ((member (first form) '(progn locally)) (within stream start 1 end #'visit))
                         ((member (first form) '(eval-when macrolet symbol-macrolet))
                          (within stream start 2 end #'visit))
                         (kind
                          (let ((name (name-of (second form))))
                            (when (and name (plusp (length name)))
                              (push (list name kind start end) symbols))))))))) 
      (call-with-forms path #'visit))
    (loop for (name kind start end) in (nreverse symbols)
          collect (let ((line (aref lines (min start (1- (length lines))))))
                    (list name kind line (max line (aref lines (min (max 0 (1- end)) (1- (length lines))))))))))

(defun quoted (text)
  (with-output-to-string (out)
    (write-char #\" out)
    (loop for char across text
          do (cond ((member char '(#\" #\\)) (format out "\\~c" char))
                   ((< (char-code char) 32) (format out "\\u~4,'0x" (char-code char)))
                   (t (write-char char out))))
    (write-char #\" out)))

(defun answer (file)
  (let ((path (sb-ext:parse-native-namestring (format nil "~a/~a" (string-right-trim "/" *root*) file)))
        (error nil) (failed 0) (symbols '()))
    (if (probe-file path)
        (handler-case (setf symbols (labels-of path))
          (error () (setf failed 1 symbols '()))
          (sb-sys:interactive-interrupt () (sb-ext:exit :code 130 :abort t)))
        (setf error "no such file"))
    (format t "{\"file\":~a,\"language\":\"commonlisp\",\"oracle\":~a,\"parse_errors\":~d,\"error\":~a,~
               \"symbols\":[~{~a~^,~}],\"imports\":[]}~%"
            (quoted file) (quoted (format nil "SBCL ~a read" (lisp-implementation-version)))
            failed (if error (quoted error) "null")
            (loop for (name kind line last) in symbols
                  collect (format nil "{\"name\":~a,\"kind\":\"~a\",\"line\":~d,\"decl_line\":~d,\"end_line\":~d}"
                                  (quoted name) kind line line last)))
    (finish-output)))

(defun main ()
  (survey)
  (let ((input (sb-sys:make-fd-stream 0 :external-format :utf-8 :buffering :full))
        (*standard-output* (sb-sys:make-fd-stream 1 :output t :input nil :external-format :utf-8)))
    (loop for file = (read-line input nil)
          while file
          do (when (plusp (length file)) (answer file)))))

(main)
