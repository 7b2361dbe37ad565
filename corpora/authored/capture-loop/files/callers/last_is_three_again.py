from targets import *

target_one(1)
target_two(1)
target_three(1)
