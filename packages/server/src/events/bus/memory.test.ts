import { describeEventBus } from './conformance.ts';
import { memoryBus } from './memory.ts';

describeEventBus('memory', memoryBus);
