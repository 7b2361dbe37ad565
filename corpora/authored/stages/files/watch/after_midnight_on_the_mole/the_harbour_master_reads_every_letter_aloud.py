from harbour.pilots import wake_the_pilot_of_the_southern_channel

wake_the_pilot_of_the_southern_channel(1, 2, 3)
