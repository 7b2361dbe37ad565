from many.part_0 import run
from many.shared import shared_compound_name

for _ in range(3):
    run()
    shared_compound_name(1)
