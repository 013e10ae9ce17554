import type { Todo } from '@kith/protocol';
import { JsonText } from '../../design/index.ts';
import { useWords } from '../../language/index.ts';
import { runWords } from '../words.ts';

export function TodoDetails({ todo }: { todo: Todo }) {
  const words = useWords(runWords);
  return (
    <div className="grid gap-2">
      <p className="font-medium">{todo.task}</p>
      <JsonText label={words.todos} value={todo} />
    </div>
  );
}
