export function parse_types() {}
