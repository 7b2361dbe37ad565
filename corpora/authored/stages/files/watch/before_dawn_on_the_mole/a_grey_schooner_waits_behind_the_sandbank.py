from harbour.pilots import train_the_pilot_of_the_southern_channel

train_the_pilot_of_the_southern_channel(1, 2, 3)
