;;; notes.el --- Notes  -*- lexical-binding: t; -*-

(defvar notes-file "~/notes.txt"
  "Where notes are kept.")

(defcustom notes-separator "\n"
  "What stands between two notes."
  :type 'string
  :group 'notes)

(defun notes-append (text)
  "Append TEXT to the notes."
  (with-temp-buffer
    (insert text notes-separator)
    (append-to-file (point-min) (point-max) notes-file)))

(defmacro notes-with-file (file &rest body)
  `(let ((notes-file ,file)) ,@body))

(provide 'notes)
;;; notes.el ends here
