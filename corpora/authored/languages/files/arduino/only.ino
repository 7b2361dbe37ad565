int answerOnly() { return 42; }
float halfOf(float value) { return value / 2.0f; }
