#include "pins.ino"

const int LED_PIN = 13;

void setup() {
  preparePin(LED_PIN);
}

void loop() {
  toggleLed(LED_PIN);
  delay(500);
}
