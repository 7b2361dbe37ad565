#lang racket/base
(require "shapes.rkt")

(define (total-area shapes)
  (apply + (map area-of shapes)))

(displayln (total-area (list (square 2) (square 3))))
