module oracle

go 1.23
