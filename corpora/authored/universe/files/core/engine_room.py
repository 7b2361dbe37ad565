from core.gauge import make_gauge
from staged_valve import SafetyValve


class EngineRoom:
    def __init__(self):
        self.gauge = make_gauge()
        self.valve = SafetyValve()

    def check_room(self):
        return self.gauge.read_pressure(self.valve)
