import type { ReactNode } from 'react';
import { Button } from '../../design/index.ts';
import { useWords } from '../../language/index.ts';
import { registryWords } from './words.ts';

export interface SectionProps {
  title: string;
  addLabel: string;
  isEmpty: boolean;
  onAdd: () => void;
  children: ReactNode;
}

/** One kind of a vendor's rows. */
export function Section({ title, addLabel, isEmpty, onAdd, children }: SectionProps) {
  const words = useWords(registryWords);
  return (
    <section aria-label={title} className="min-w-0">
      <div className="flex items-center gap-2">
        <h4 className="flex-1 text-sm font-semibold text-soft">{title}</h4>
        <Button size="small" look="quiet" icon="add" onClick={onAdd}>
          {addLabel}
        </Button>
      </div>
      {isEmpty ? <p className="py-1 text-sm text-faint">{words.none}</p> : children}
    </section>
  );
}
