class SafetyValve:
    opened = False

    def current_flow(self):
        return 0 if self.opened else helper_flow(3)


def helper_flow(factor):
    return factor * 2
