abstract class Observer {
  void valueChanged(int value);
}

class Counter {
  int _value = 0;
  final List<Observer> _observers = [];

  Counter();
  Counter.startingAt(this._value);

  int get value => _value;

  void increment() {
    _value++;
    for (final observer in _observers) {
      observer.valueChanged(_value);
    }
  }
}

enum Direction { up, down }

mixin Logging {
  void logLine(String line) => print(line);
}
