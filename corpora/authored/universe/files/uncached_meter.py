class MeterBoard:
    def __init__(self):
        self.values = []

    def note_value(self, value):
        self.values.append(value)
