from harbour.pilots import signal_the_pilot_of_the_southern_channel

signal_the_pilot_of_the_southern_channel(1, 2, 3)
