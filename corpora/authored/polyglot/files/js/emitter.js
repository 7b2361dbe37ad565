'use strict';

class EventEmitter {
  constructor() {
    this.handlers = new Map();
  }

  addHandler(name, handler) {
    const list = this.handlers.get(name) || [];
    list.push(handler);
    this.handlers.set(name, list);
    return this;
  }

  emitEvent(name, ...values) {
    for (const handler of this.handlers.get(name) || []) handler(...values);
  }
}

const createEmitter = () => new EventEmitter();

function pattern(text) {
  return text.replace(/[/"'`]+/g, `<${text.length}>`);
}

module.exports = { EventEmitter, createEmitter, pattern };
