from harbour.lanterns import relight_the_lantern_above_the_breakwater

relight_the_lantern_above_the_breakwater(1, 2, 3)
