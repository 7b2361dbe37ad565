# Symbols and imports of R files as the language's own parser reads them.
#
# Usage: Rscript --vanilla oracle.R --root DIR
# Paths relative to DIR come on standard input, one a line; one JSON object a line goes out.
#
# A symbol is what is assigned to a plain name at the top of a file. For a file in the folder R of
# a package, its NAMESPACE says what is exported; elsewhere every name without a leading dot is.

arguments <- commandArgs(trailingOnly = TRUE)
root <- if (length(arguments) >= 2 && arguments[1] == "--root") arguments[2] else "."
base_packages <- rownames(installed.packages(priority = "base"))
# Recommended packages come with R's own distribution, though not with every package of R.
recommended <- c("KernSmooth", "MASS", "Matrix", "boot", "class", "cluster", "codetools", "foreign",
                 "lattice", "mgcv", "nlme", "nnet", "rpart", "spatial", "survival")
stdlib <- c(base_packages, recommended)

quoted <- function(text) {
  text <- gsub("\\", "\\\\", text, fixed = TRUE)
  text <- gsub("\"", "\\\"", text, fixed = TRUE)
  text <- gsub("\n", "\\n", text, fixed = TRUE)
  text <- gsub("\t", "\\t", text, fixed = TRUE)
  paste0("\"", text, "\"")
}

# The nearest folder above a file, up to the root, that holds a file of this name.
above <- function(file, name) {
  folder <- dirname(file)
  repeat {
    path <- file.path(root, folder, name)
    if (file.exists(path)) return(path)
    if (folder == "." || folder == "") return(NULL)
    folder <- dirname(folder)
  }
}

# What a NAMESPACE exports: names, and the patterns of exportPattern.
exports <- function(path) {
  found <- list(names = character(), patterns = character())
  for (directive in as.list(parse(path, keep.source = FALSE))) {
    if (!is.call(directive)) next
    words <- vapply(as.list(directive)[-1], function(x) paste(as.character(x), collapse = "."), "")
    switch(as.character(directive[[1]])[1],
      export = , exportMethods = , exportClasses = found$names <- c(found$names, words),
      S3method = found$names <- c(found$names, paste(words[1:2], collapse = ".")),
      exportPattern = found$patterns <- c(found$patterns, words))
  }
  found
}

namespaces <- new.env()
namespace_of <- function(file) {
  if (basename(dirname(file)) != "R") return(NULL)
  path <- above(file, "NAMESPACE")
  if (is.null(path)) return(NULL)
  if (is.null(namespaces[[path]])) {
    namespaces[[path]] <- tryCatch(exports(path), error = function(e) list(names = character(), patterns = character()))
  }
  namespaces[[path]]
}

is_exported <- function(name, namespace) {
  if (is.null(namespace)) return(!startsWith(name, "."))
  name %in% namespace$names || any(vapply(namespace$patterns, function(p) grepl(p, name), TRUE))
}

own_package <- function(file) {
  path <- above(file, "DESCRIPTION")
  if (is.null(path)) "" else unname(read.dcf(path, fields = "Package")[1, 1])
}

labels <- function(file, path) {
  tree <- parse(path, keep.source = TRUE, encoding = "UTF-8")
  places <- attr(tree, "srcref")
  namespace <- namespace_of(file)
  symbols <- character()
  imports <- character()
  for (index in seq_along(tree)) {
    x <- tree[[index]]
    if (!is.call(x)) next
    first <- places[[index]][1]
    last <- places[[index]][3]
    word <- as.character(x[[1]])[1]
    if (word %in% c("<-", "=", "<<-") && (is.name(x[[2]]) || is.character(x[[2]]))) {
      name <- as.character(x[[2]])
      callable <- is.call(x[[3]]) && identical(x[[3]][[1]], as.name("function"))
      exported <- is_exported(name, namespace)
      symbols <- c(symbols, sprintf(
        "{\"name\":%s,\"kind\":\"%s\",\"line\":%d,\"decl_line\":%d,\"end_line\":%d,\"parent\":null,\"visibility\":\"%s\",\"exported\":%s}",
        quoted(name), if (callable) "function" else "variable", first, first, last,
        if (exported) "public" else "private", tolower(exported)))
    } else if (word %in% c("library", "require", "requireNamespace", "source") && length(x) >= 2) {
      name <- if (is.name(x[[2]]) || is.character(x[[2]])) as.character(x[[2]]) else paste(deparse(x[[2]]), collapse = " ")
      category <- if (word == "source" || identical(name, own_package(file))) "local"
        else if (name %in% stdlib) "stdlib" else "third_party"
      imports <- c(imports, sprintf("{\"path\":%s,\"names\":%s,\"category\":\"%s\",\"line\":%d}",
        quoted(name), if (word == "requireNamespace") "[]" else "[\"*\"]", category, first))
    }
  }
  list(symbols = symbols, imports = imports)
}

input <- file("stdin", open = "r")
while (length(name <- readLines(input, n = 1)) == 1) {
  if (name == "") next
  path <- file.path(root, name)
  failed <- 0
  error <- "null"
  found <- list(symbols = character(), imports = character())
  if (!file.exists(path)) {
    error <- quoted("no such file")
  } else {
    found <- tryCatch(labels(name, path), error = function(e) { failed <<- 1; found })
  }
  cat(sprintf("{\"file\":%s,\"language\":\"r\",\"oracle\":\"R %s parse(keep.source)\",\"parse_errors\":%d,\"error\":%s,\"symbols\":[%s],\"imports\":[%s]}\n",
    quoted(name), getRversion(), failed, error,
    paste(found$symbols, collapse = ","), paste(found$imports, collapse = ",")))
}
