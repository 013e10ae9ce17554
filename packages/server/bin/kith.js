#!/usr/bin/env node
// The sources are TypeScript for Node 24. An older Node hands over to the one that npm installed beside them.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = new URL('../src/cli/kith.ts', import.meta.url);

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(program.href);
} else {
  const node = installedNode();
  if (!node) {
    console.error(
      `kith: Node 24 is needed, this is ${process.versions.node}. Run npm ci in the folder of Kith, or install Node 24.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(program), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}

function installedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    return join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  } catch {
    return undefined;
  }
}
