import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { z } from 'zod';
import type { SetUp } from './set-ups.ts';

/** The peers are no dependencies of the project: they are installed in their own folder when the bench first wants them. */
const folder = new URL('../peers/', import.meta.url);
const installed = new URL('node_modules/', folder);

export async function installPeers(tell: (progress: string) => void): Promise<string | undefined> {
  if (existsSync(new URL('.package-lock.json', installed))) return undefined;
  tell('installing the peers in bench/peers');
  try {
    // None of them needs its install script for this.
    await promisify(execFile)('npm', ['ci', '--ignore-scripts'], { cwd: fileURLToPath(folder) });
    return undefined;
  } catch (error) {
    return `\`npm ci\` in bench/peers failed: ${error instanceof Error ? error.message.slice(0, 500) : error}`;
  }
}

const Manifest = z.object({ version: z.string() });

/** `LangGraph.js 1.4.18 + PostgresSaver 1.0.5`: with the versions that are really there. */
export function nameOf({ parts }: SetUp): string {
  const versionOf = (dependency: string) => {
    const file = new URL(`${dependency}/package.json`, installed);
    return dependency && existsSync(file) ? Manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version : '';
  };
  return Object.entries(parts)
    .map(([label, dependency]) => `${label} ${versionOf(dependency)}`.trim())
    .join(' + ');
}
