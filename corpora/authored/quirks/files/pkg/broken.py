def broken(:
    class X
  def again(self)
    return broken(again(

def healthy_function():
    pass

healthy_function()
