from harbour.lanterns import hang_the_lantern_above_the_breakwater

hang_the_lantern_above_the_breakwater(1, 2, 3)
