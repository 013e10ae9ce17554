import { inflateRawSync } from 'node:zlib';
import type { ReadingLimits } from './limits.ts';
import { FileFault } from './reading.ts';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const MAX_ENTRIES = 10_000;
/** However well it is packed, this much hurts nobody. */
const HARMLESS = 4 * 1024 * 1024;

/**
 * The parts of an Office file that carry text. Every part is unpacked here, under limits and by the archive's own directory,
 * and what the parsers get afterwards is an archive made anew of these parts: they never see the one that came in.
 */
export function unpackOffice(bytes: Buffer, limits: ReadingLimits): Map<string, Buffer> {
  const budget = Math.min(Math.max(bytes.length * limits.expansion, HARMLESS), limits.unpackedBytes);
  const parts = new Map<string, Buffer>();
  let unpacked = 0;
  for (const entry of directoryOf(bytes)) {
    if (/vbaProject\.bin$/i.test(entry.name)) throw new FileFault('FILE_UNSAFE', 'the file holds macros');
    // Pictures and embedded files are counted too: they are part of what the archive would expand to.
    const content = inflate(bytes, entry, budget - unpacked);
    unpacked += content.length;
    if (!/\.(xml|rels)$/i.test(entry.name)) continue;
    refuseEntities(content);
    parts.set(entry.name, content);
  }
  const types = parts.get('[Content_Types].xml');
  if (!types) throw new FileFault('FILE_BROKEN', 'this is not an Office file');
  if (/macroEnabled/i.test(types.toString('latin1'))) throw new FileFault('FILE_UNSAFE', 'the file holds macros');
  return parts;
}

interface Entry {
  name: string;
  method: number;
  offset: number;
  packedSize: number;
}

function* directoryOf(bytes: Buffer): Generator<Entry> {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + 22 > bytes.length || bytes.readUInt32LE(end) !== END) throw broken();
  const count = bytes.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw new FileFault('FILE_EXPANDS_TOO_MUCH', 'too many parts');
  let at = bytes.readUInt32LE(end + 16);
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) throw broken();
    const nameLength = bytes.readUInt16LE(at + 28);
    if ((bytes.readUInt16LE(at + 8) & 1) !== 0) throw new FileFault('FILE_ENCRYPTED');
    yield {
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      method: bytes.readUInt16LE(at + 10),
      packedSize: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    };
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
}

function inflate(bytes: Buffer, { method, offset, packedSize }: Entry, room: number): Buffer {
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== LOCAL) throw broken();
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const packed = bytes.subarray(start, start + packedSize);
  if (packed.length !== packedSize) throw broken();
  if (method === 0) {
    if (packed.length > room) throw new FileFault('FILE_EXPANDS_TOO_MUCH');
    return packed;
  }
  if (method !== 8) throw broken();
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(room, 1) });
  } catch (error) {
    if (error instanceof RangeError) throw new FileFault('FILE_EXPANDS_TOO_MUCH');
    throw broken();
  }
}

/** Office files know no document types. One is there to declare entities, and those to blow up whoever reads them. */
function refuseEntities(part: Buffer): void {
  // In another encoding the words would look different.
  if (part.subarray(0, 4).includes(0) || (part[0] ?? 0) >= 0xfe) throw broken();
  if (/<!(DOCTYPE|ENTITY)/i.test(part.toString('latin1'))) {
    throw new FileFault('FILE_UNSAFE', 'the file declares entities');
  }
}

const broken = () => new FileFault('FILE_BROKEN', 'the archive is broken');
