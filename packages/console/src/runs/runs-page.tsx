import { Page } from '../app/index.ts';
import { EmptyState } from '../design/index.ts';
import { useWords } from '../language/index.ts';
import { runWords } from './words.ts';

export function RunsPage() {
  const words = useWords(runWords);
  return (
    <Page title={words.title}>
      <EmptyState title={words.title} />
    </Page>
  );
}
