local Queue = require("queue")

local queue = Queue.new()

function fill_queue(count)
  for n = 1, count do
    queue:push_value(n)
  end
end

handlers = {
  drain = function() return queue:pop_value() end,
}

fill_queue(3)
print(handlers.drain())
