function definesWithoutReferring() { return /* nothing */ 0x1fn; }
const arrowFunction = (a, b) => a ?? b;
