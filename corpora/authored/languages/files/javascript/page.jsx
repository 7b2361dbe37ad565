import { TodoStore, countTodos } from './store.js';

export default function Page() {
  const store = new TodoStore();
  store.addTodo('write');
  return <p title="count">{countTodos(store)}</p>;
}
