from harbour.pilots import relieve_the_pilot_of_the_southern_channel

relieve_the_pilot_of_the_southern_channel(1, 2, 3)
