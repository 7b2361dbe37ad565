//! Gold labels of Zig files from the compiler's own parser.
//!
//! zig run oracle.zig -- --root DIR < paths > labels: reads file paths relative to the root, one
//! a line, and prints one JSON object a line.

const std = @import("std");
const Ast = std.zig.Ast;

pub fn main() !void {
    var arena = std.heap.ArenaAllocator.init(std.heap.page_allocator);
    const arguments = try std.process.argsAlloc(arena.allocator());
    if (arguments.len != 3 or !std.mem.eql(u8, arguments[1], "--root")) return error.Usage;
    const root = try std.fs.cwd().openDir(arguments[2], .{});

    var buffered = std.io.bufferedWriter(std.io.getStdOut().writer());
    const input = std.io.getStdIn().reader();
    while (try input.readUntilDelimiterOrEofAlloc(arena.allocator(), '\n', 1 << 16)) |line| {
        if (line.len == 0) continue;
        var memory = std.heap.ArenaAllocator.init(std.heap.page_allocator);
        defer memory.deinit();
        try label(memory.allocator(), root, line, buffered.writer());
        try buffered.writer().writeByte('\n');
    }
    try buffered.flush();
}

fn label(allocator: std.mem.Allocator, root: std.fs.Dir, name: []const u8, out: anytype) !void {
    var json = std.json.writeStreamArbitraryDepth(allocator, out, .{});
    try json.beginObject();
    try pair(&json, "file", name);
    try pair(&json, "language", "zig");
    try pair(&json, "oracle", "std.zig.Ast " ++ @import("builtin").zig_version_string);
    const source = root.readFileAllocOptions(allocator, name, 1 << 26, null, 1, 0) catch |problem| {
        try pair(&json, "parse_errors", 0);
        try pair(&json, "error", @errorName(problem));
        try empty(&json, "symbols");
        try empty(&json, "imports");
        return json.endObject();
    };
    var tree = try Ast.parse(allocator, source, .zig);
    try pair(&json, "parse_errors", tree.errors.len);
    try pair(&json, "error", null);
    try json.objectField("symbols");
    try json.beginArray();
    if (tree.errors.len == 0) try declarations(allocator, &tree, tree.rootDecls(), null, &json);
    try json.endArray();
    try json.objectField("imports");
    try json.beginArray();
    if (tree.errors.len == 0) try imports(&tree, &json);
    try json.endArray();
    try json.endObject();
}

fn pair(json: anytype, key: []const u8, value: anytype) !void {
    try json.objectField(key);
    try json.write(value);
}

/// An empty list: written as a value it would be taken for an empty string.
fn empty(json: anytype, key: []const u8) !void {
    try json.objectField(key);
    try json.beginArray();
    try json.endArray();
}

const Symbol = struct {
    name: Ast.TokenIndex,
    kind: []const u8,
    node: Ast.Node.Index,
    parent: ?[]const u8,
    public: bool,
};

fn emit(tree: *const Ast, json: anytype, symbol: Symbol) !void {
    try json.beginObject();
    try pair(json, "name", plain(tree.tokenSlice(symbol.name)));
    try pair(json, "kind", symbol.kind);
    try pair(json, "line", tree.tokenLocation(0, symbol.name).line + 1);
    try pair(json, "decl_line", tree.tokenLocation(0, tree.firstToken(symbol.node)).line + 1);
    try pair(json, "end_line", tree.tokenLocation(0, tree.lastToken(symbol.node)).line + 1);
    try pair(json, "parent", symbol.parent);
    try pair(json, "visibility", null);
    try pair(json, "exported", symbol.public);
    try json.endObject();
}

/// A name without the signs around one that is no identifier.
fn plain(name: []const u8) []const u8 {
    return std.mem.trim(u8, name, "@\"");
}

fn declarations(allocator: std.mem.Allocator, tree: *const Ast, members: []const Ast.Node.Index, parent: ?[]const u8, json: anytype) !void {
    const tags = tree.nodes.items(.tag);
    for (members) |node| switch (tags[node]) {
        .fn_decl, .fn_proto, .fn_proto_simple, .fn_proto_multi, .fn_proto_one => {
            var buffer: [1]Ast.Node.Index = undefined;
            const prototype = tree.fullFnProto(&buffer, node) orelse continue;
            const name = prototype.name_token orelse continue;
            const kind = if (parent == null) "function" else "method";
            try emit(tree, json, .{ .name = name, .kind = kind, .node = node, .parent = parent, .public = prototype.visib_token != null });
        },
        .simple_var_decl, .aligned_var_decl, .global_var_decl, .local_var_decl => {
            const variable = tree.fullVarDecl(node).?;
            const name = variable.ast.mut_token + 1;
            const public = variable.visib_token != null;
            var buffer: [2]Ast.Node.Index = undefined;
            const value = variable.ast.init_node;
            const container = if (value == 0) null else tree.fullContainerDecl(&buffer, value);
            if (container) |body| {
                const keyword = tree.tokenSlice(body.ast.main_token);
                const kind = if (std.mem.eql(u8, keyword, "opaque")) "type" else keyword;
                try emit(tree, json, .{ .name = name, .kind = kind, .node = node, .parent = parent, .public = public });
                const own = plain(tree.tokenSlice(name));
                const inside = if (parent) |outer| try std.fmt.allocPrint(allocator, "{s}.{s}", .{ outer, own }) else own;
                try declarations(allocator, tree, body.ast.members, inside, json);
            } else {
                const constant = std.mem.eql(u8, tree.tokenSlice(variable.ast.mut_token), "const");
                const kind = if (constant) "constant" else "variable";
                try emit(tree, json, .{ .name = name, .kind = kind, .node = node, .parent = parent, .public = public });
            }
        },
        .container_field_init, .container_field, .container_field_align => {
            const field = tree.fullContainerField(node).?;
            if (field.ast.tuple_like) continue;
            try emit(tree, json, .{ .name = field.ast.main_token, .kind = "field", .node = node, .parent = parent, .public = true });
        },
        else => {},
    };
}

fn imports(tree: *const Ast, json: anytype) !void {
    const tags = tree.nodes.items(.tag);
    const tokens = tree.nodes.items(.main_token);
    const operands = tree.nodes.items(.data);
    for (tags, tokens, operands) |tag, token, operand| {
        if (tag != .builtin_call_two and tag != .builtin_call_two_comma) continue;
        if (!std.mem.eql(u8, tree.tokenSlice(token), "@import")) continue;
        if (operand.lhs == 0 or tags[operand.lhs] != .string_literal) continue;
        const path = std.mem.trim(u8, tree.tokenSlice(tokens[operand.lhs]), "\"");
        const category = if (std.mem.endsWith(u8, path, ".zig"))
            "local"
        else if (std.mem.eql(u8, path, "std") or std.mem.eql(u8, path, "builtin"))
            "stdlib"
        else if (std.mem.eql(u8, path, "root"))
            "unknown"
        else
            "third_party";
        try json.beginObject();
        try pair(json, "path", path);
        try empty(json, "names");
        try pair(json, "category", category);
        try pair(json, "line", tree.tokenLocation(0, token).line + 1);
        try json.endObject();
    }
}
