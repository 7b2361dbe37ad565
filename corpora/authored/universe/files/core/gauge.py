class PressureGauge:
    def __init__(self, limit):
        self.limit = limit

    def read_pressure(self, valve):
        return min(self.limit, valve.current_flow())


def make_gauge(limit=10):
    return PressureGauge(limit)
