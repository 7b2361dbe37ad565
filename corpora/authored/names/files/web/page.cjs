function command_line() {}
