(ns warehouse.report
  (:require [warehouse.stock :refer [item-name shelf-limit]]))

(defn print-report [items]
  (doseq [item items]
    (println (item-name item) shelf-limit)))

(defmulti describe-item :kind)

(defmethod describe-item :box [item]
  (item-name item))
