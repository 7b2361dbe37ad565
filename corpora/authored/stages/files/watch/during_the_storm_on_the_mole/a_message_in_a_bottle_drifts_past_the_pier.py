from harbour.pilots import warn_the_pilot_of_the_southern_channel

warn_the_pilot_of_the_southern_channel(1, 2, 3)
