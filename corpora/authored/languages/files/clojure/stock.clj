(ns warehouse.stock
  (:require [clojure.string :as str]))

(def shelf-limit 12)

(defn item-name [item]
  (str/trim (:name item)))

(defn- hidden-count [items]
  (count items))

(defmacro with-shelf [shelf & body]
  `(let [~'shelf ~shelf] ~@body))

(defprotocol Countable
  (count-items [this]))
