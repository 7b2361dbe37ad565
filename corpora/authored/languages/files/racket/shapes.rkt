#lang racket

(provide (struct-out square) area-of)

(struct square (side))

(define (area-of shape)
  (* (square-side shape) (square-side shape)))

(define unit-square (square 1))

(define-syntax-rule (twice body) (begin body body))
