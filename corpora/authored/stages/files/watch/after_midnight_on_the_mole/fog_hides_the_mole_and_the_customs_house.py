from harbour.lanterns import shield_the_lantern_above_the_breakwater

shield_the_lantern_above_the_breakwater(1, 2, 3)
