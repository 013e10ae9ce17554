import { describeRunQueue } from './conformance.ts';
import { memoryQueue, memorySignals } from './memory.ts';

describeRunQueue('memory', () => ({ queue: memoryQueue(() => {}), signals: memorySignals() }));
