from harbour.lanterns import polish_the_lantern_above_the_breakwater

polish_the_lantern_above_the_breakwater(1, 2, 3)
