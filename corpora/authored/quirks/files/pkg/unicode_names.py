def größe_berechnen(länge):
    return länge


class Ünïcödé:
    def método(self):
        return größe_berechnen(1)


print(Ünïcödé().método())  #   separator in a comment  too
