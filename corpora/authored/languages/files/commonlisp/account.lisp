;;;; Accounts and their owners.

(defpackage :bank (:use :cl))
(in-package :bank)

(defvar *next-number* 1)

(defclass account ()
  ((owner :initarg :owner :accessor account-owner)
   (cents :initform 0 :accessor account-cents)))

(defun open-account (owner)
  (incf *next-number*)
  (make-instance 'account :owner owner))

(defmacro with-account ((name owner) &body body)
  `(let ((,name (open-account ,owner))) ,@body))

(defgeneric account-summary (account))
