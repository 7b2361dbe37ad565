from harbour.pilots import hire_the_pilot_of_the_southern_channel

hire_the_pilot_of_the_southern_channel(1, 2, 3)
