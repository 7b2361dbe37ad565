library(stats)
source("stats.R")

print_summary <- function(values) {
  cat(middle_of(values), spread.of(values), "\n")
  base::invisible(values)
}

print_summary(c(1, 2, 3))
