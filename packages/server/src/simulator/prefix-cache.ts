import { scanTokens } from './tokens.ts';

const BLOCK = 64;
const REMEMBERED_BLOCKS = 100_000;

/** What a vendor's context cache does: a prompt that begins like an earlier one of the same key is partly a hit. */
export interface PrefixCache {
  /** Tokens of `text`, how many of them were seen before as a prefix in whole blocks of 64, and remembers the rest. */
  read(scope: string, text: string): { tokens: number; cached: number };
  /** Whether exactly this marked prefix was created before; remembers it. */
  createOrHit(scope: string, prefix: string): boolean;
}

export function prefixCache(rememberedBlocks = REMEMBERED_BLOCKS): PrefixCache {
  // Insertion order is age: a Map is a least-recently-used list that needs no library.
  const remembered = new Map<string, true>();
  const touch = (key: string): boolean => {
    const known = remembered.delete(key);
    remembered.set(key, true);
    if (remembered.size > rememberedBlocks) {
      for (const oldest of remembered.keys()) {
        remembered.delete(oldest);
        break;
      }
    }
    return known;
  };
  return {
    read(scope, text) {
      let hash = seed(scope);
      let from = 0;
      let count = 0;
      let hits = 0;
      const tokens = scanTokens(text, (end) => {
        count += 1;
        if (count % BLOCK !== 0) return;
        hash = mix(hash, text, from, end);
        from = end;
        // The hash goes on from block to block: a known one means that all before it are known.
        if (touch(`${scope} ${count} ${hash}`)) hits += 1;
      });
      return { tokens, cached: hits * BLOCK };
    },
    createOrHit: (scope, prefix) => touch(`explicit ${scope} ${mix(seed(scope), prefix, 0, prefix.length)}`),
  };
}

function seed(scope: string): number {
  return mix(0, scope, 0, scope.length);
}

/** Two 26-bit lanes of FNV-1a in one safe integer: enough to tell prompts apart, cheap enough for every request. */
function mix(hash: number, text: string, from: number, to: number): number {
  let high = (Math.floor(hash / 0x4000000) ^ 0x11c9dc5) >>> 0;
  let low = ((hash % 0x4000000) ^ 0x2d1b873) >>> 0;
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193) >>> 0;
    low = Math.imul(low ^ (unit + at), 0x5bd1e995) >>> 0;
  }
  return (high % 0x4000000) * 0x4000000 + (low % 0x4000000);
}
