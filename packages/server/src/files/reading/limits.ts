/** How much of a file is looked at before it is given up. */
export interface ReadingLimits {
  pages: number;
  cells: number;
  /** Unpacked bytes for each packed one. */
  expansion: number;
  timeoutMs: number;
  characters: number;
  /** Of everything an archive holds together, however well it is packed. */
  unpackedBytes: number;
  /** JavaScript's share of the reader's memory. */
  heapMegabytes: number;
  /** All of it: buffers live outside the heap. */
  residentMegabytes: number;
}

export const fixedLimits = {
  characters: 5_000_000,
  unpackedBytes: 128 * 1024 * 1024,
  heapMegabytes: 512,
  residentMegabytes: 768,
} as const;
