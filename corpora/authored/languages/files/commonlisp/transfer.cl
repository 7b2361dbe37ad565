(in-package :bank)

(defmethod account-summary ((account account))
  (format nil "~a: ~a" (account-owner account) (account-cents account)))

(defun transfer-money (from to cents)
  (decf (account-cents from) cents)
  (incf (account-cents to) cents)
  (account-summary to))

(defun two-accounts ()
  (list (open-account "ann") (open-account "ben")))
