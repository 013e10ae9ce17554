import { zipSync } from 'fflate';

/** An archive of parts that have been looked at, unpacked as they are: what the parsers of Office files get. */
export function repack(parts: ReadonlyMap<string, Buffer>): Buffer {
  return Buffer.from(zipSync(Object.fromEntries(parts), { level: 0 }));
}
