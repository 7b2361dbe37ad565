from harbour.lanterns import mend_the_lantern_above_the_breakwater

mend_the_lantern_above_the_breakwater(1, 2, 3)
