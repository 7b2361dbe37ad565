local Queue = {}
Queue.__index = Queue

function Queue.new()
  return setmetatable({ first = 1, last = 0 }, Queue)
end

function Queue:push_value(value)
  self.last = self.last + 1
  self[self.last] = value
end

local function is_empty(queue)
  return queue.first > queue.last
end

function Queue:pop_value()
  if is_empty(self) then return nil end
  local value = self[self.first]
  self.first = self.first + 1
  return value
end

return Queue
