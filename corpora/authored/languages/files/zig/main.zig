const list = @import("list.zig");

const Error = error{Empty};

fn makeNode(value: i32) list.Node {
    return .{ .value = value };
}

pub fn main() !void {
    var node = makeNode(1);
    if (list.kindOf(&node) == .long) return Error.Empty;
}

test "one node" {
    const node = makeNode(2);
    _ = node.lengthOf();
}
