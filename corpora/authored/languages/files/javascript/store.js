export class TodoStore {
  constructor() {
    this.items = [];
  }

  addTodo(text) {
    this.items.push(makeTodo(text));
  }
}

export function makeTodo(text) {
  return { text, done: false };
}

export const countTodos = (store) => store.items.length;
