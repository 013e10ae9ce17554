import { crc32, deflateSync } from 'node:zlib';

const SIZE = 64;

/** What the links of a finished task lead to: a square in the colour of its name, or the head of an empty film. */
export function mediaOf(name: string): { type: string; body: Buffer } {
  if (name.endsWith('.mp4')) return { type: 'video/mp4', body: emptyFilm() };
  const [red = 0, green = 0, blue = 0] = Buffer.from(name.slice(0, 6), 'hex');
  return { type: 'image/png', body: square(red, green, blue) };
}

function square(red: number, green: number, blue: number): Buffer {
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(SIZE * 3, Buffer.from([red, green, blue]))]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: SIZE }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function emptyFilm(): Buffer {
  const brand = Buffer.from('ftypisom\0\0\x02\0isommp41', 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(brand.length + 4);
  return Buffer.concat([length, brand]);
}
