from harbour.lanterns import light_the_lantern_above_the_breakwater

light_the_lantern_above_the_breakwater(1, 2, 3)
