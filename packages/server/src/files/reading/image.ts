import type { JsonObject } from '@kith/protocol';
import { imageSize } from 'image-size';
import { FileFault } from './reading.ts';

/** What can be said of a picture without drawing it. */
export function readImage(bytes: Buffer): JsonObject {
  try {
    const { type, width, height, orientation } = imageSize(bytes);
    return { format: type ?? 'unknown', width, height, ...(orientation ? { orientation } : {}) };
  } catch (error) {
    throw new FileFault('FILE_BROKEN', error instanceof Error ? error.message : undefined);
  }
}
