const std = @import("std");

pub const Node = struct {
    value: i32,
    next: ?*Node = null,

    pub fn lengthOf(self: *const Node) usize {
        return if (self.next) |next| 1 + next.lengthOf() else 1;
    }
};

pub const Kind = enum { short, long };

pub fn kindOf(node: *const Node) Kind {
    return if (node.lengthOf() > 3) .long else .short;
}
