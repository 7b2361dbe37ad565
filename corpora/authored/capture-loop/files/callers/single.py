from targets import *

target_one(1)
