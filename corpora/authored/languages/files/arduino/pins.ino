static bool lit = false;

void preparePin(int pin) {
  pinMode(pin, OUTPUT);
  digitalWrite(pin, LOW);
}

void toggleLed(int pin) {
  lit = !lit;
  digitalWrite(pin, lit ? HIGH : LOW);
}

int unusedReading;
