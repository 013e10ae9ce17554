import { Page } from '../app/index.ts';
import { EmptyState } from '../design/index.ts';
import { useWords } from '../language/index.ts';
import { meWords } from './words.ts';

export function MePage() {
  const words = useWords(meWords);
  return (
    <Page title={words.title}>
      <EmptyState title={words.title} />
    </Page>
  );
}
