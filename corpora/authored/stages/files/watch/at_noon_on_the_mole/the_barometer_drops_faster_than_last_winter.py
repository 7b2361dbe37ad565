from harbour.pilots import question_the_pilot_of_the_southern_channel

question_the_pilot_of_the_southern_channel(1, 2, 3)
