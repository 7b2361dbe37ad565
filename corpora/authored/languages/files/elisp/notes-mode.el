;;; notes-mode.el --- A mode  -*- lexical-binding: t; -*-

(require 'notes)

(defun notes-mode-add-line ()
  (interactive)
  (notes-append (thing-at-point 'line)))

(defconst notes-mode-map (make-sparse-keymap))

(define-derived-mode notes-mode text-mode "Notes"
  (setq-local notes-mode-ready t))
