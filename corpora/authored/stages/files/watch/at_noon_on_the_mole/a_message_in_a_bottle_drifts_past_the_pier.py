from harbour.lanterns import fill_the_lantern_above_the_breakwater

fill_the_lantern_above_the_breakwater(1, 2, 3)
