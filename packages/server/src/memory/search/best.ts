/** The positions of the highest scores above `floor`, best first; of equal ones the later, which is the newer memory. */
export function bestPositions(scores: Float64Array, count: number, floor = 0): number[] {
  // A heap with the worst of the best on top: most scores are looked at once and left alone.
  const heap: number[] = [];
  const isWorse = (a: number, b: number) => {
    const difference = (scores[a] ?? 0) - (scores[b] ?? 0);
    return difference < 0 || (difference === 0 && a < b);
  };
  if (count === 0) return heap;
  let worst = floor;
  for (let position = 0; position < scores.length; position++) {
    const score = scores[position] ?? Number.NaN;
    // Also when it is not a number.
    if (!(score > floor) || score < worst) continue;
    if (heap.length < count) {
      heap.push(position);
      rise(heap, isWorse);
    } else {
      heap[0] = position;
      sink(heap, isWorse);
    }
    if (heap.length === count) worst = scores[heap[0] ?? 0] ?? floor;
  }
  return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1));
}

type Compare = (a: number, b: number) => boolean;

function rise(heap: number[], isWorse: Compare): void {
  let at = heap.length - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isWorse(heap[at] ?? 0, heap[parent] ?? 0)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: number[], isWorse: Compare): void {
  let at = 0;
  for (;;) {
    let worst = at;
    for (const child of [at * 2 + 1, at * 2 + 2]) {
      if (child < heap.length && isWorse(heap[child] ?? 0, heap[worst] ?? 0)) worst = child;
    }
    if (worst === at) return;
    swap(heap, at, worst);
    at = worst;
  }
}

function swap(heap: number[], a: number, b: number): void {
  const held = heap[a] ?? 0;
  heap[a] = heap[b] ?? 0;
  heap[b] = held;
}
