/** The text format of Prometheus, as far as a page needs it. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

export function readMetrics(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const found = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([^ ]+)/.exec(line);
    if (!found) return [];
    const [, name = '', labels = '', value = ''] = found;
    const pairs = labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
    return [
      {
        name,
        labels: Object.fromEntries(Array.from(pairs, ([, key = '', text = '']) => [key, text])),
        value: Number(value),
      },
    ];
  });
}

/** The sum over all labels that pass; undefined where there is nothing of that name. */
export function sumOf(
  samples: readonly Sample[],
  name: string,
  isMeant: (labels: Sample['labels']) => boolean = () => true,
): number | undefined {
  const meant = samples.filter((sample) => sample.name === name && isMeant(sample.labels));
  return meant.length === 0 ? undefined : meant.reduce((sum, { value }) => sum + value, 0);
}

/** The sums by the values of one label. */
export function sumsBy(samples: readonly Sample[], name: string, label: string): [value: string, sum: number][] {
  const sums = new Map<string, number>();
  for (const sample of samples) {
    if (sample.name !== name) continue;
    const key = sample.labels[label] ?? '';
    sums.set(key, (sums.get(key) ?? 0) + sample.value);
  }
  return [...sums];
}
