import 'counter.dart';

class Printer extends Observer with Logging {
  @override
  void valueChanged(int value) {
    logLine('now $value');
  }
}

typedef Step = void Function(Counter counter);

void runSteps(Counter counter, List<Step> steps) {
  for (final step in steps) {
    step(counter);
  }
  counter.increment();
}

extension Doubling on Counter {
  int get doubled => value * 2;
}
