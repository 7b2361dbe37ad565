class counter : object
  method increment : unit
end

external start_count : counter -> int = "start_count_stub"
val total_of : 'a Stack.t -> counter -> int
