#' The middle of some numbers.
middle_of <- function(values, na.rm = TRUE) {
  median(values, na.rm = na.rm)
}

spread.of = function(values) {
  max(values) - min(values)
}

setClass("Sample", representation(values = "numeric"))
