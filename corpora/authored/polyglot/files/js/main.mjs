import { createEmitter, pattern } from './emitter.js';

export default function startProgram() {
  const emitter = createEmitter();
  emitter.addHandler('done', (value) => console.log(pattern(value)));
  emitter.emitEvent('done', 'ok');
}
