import { Page } from '../app/index.ts';
import { EmptyState } from '../design/index.ts';
import { useWords } from '../language/index.ts';
import { adminWords } from './words.ts';

export function AdminPage() {
  const words = useWords(adminWords);
  return (
    <Page title={words.title}>
      <EmptyState title={words.title} />
    </Page>
  );
}
