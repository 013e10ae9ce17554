import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startProgram } from '../../../test/program.ts';
import { liveHolder, takeLock } from './lock.ts';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kith-lock-'));
  folders.push(folder);
  return folder;
}
/** A process id that nobody has: of a process that has ended. */
async function deadPid(): Promise<number> {
  const program = startProgram('test/programs/take-lock.ts', [newFolder()]);
  program.process.kill('SIGKILL');
  await program.exited;
  return program.process.pid ?? 0;
}
const holder = (pid: number, born: string | null) => JSON.stringify({ pid, born, socketFolder: '/nowhere' });

test('a second server is told who has the folder and what to do', () => {
  const folder = newFolder();
  takeLock(folder, folder);
  expect(() => takeLock(folder, folder)).toThrow(
    `${folder} is in use by the server with process id ${process.pid}. Stop that one, or give this one a folder of its own with KITH_HOME.`,
  );
});

test('a released folder is free, and nobody is found on it', () => {
  const folder = newFolder();
  const lock = takeLock(folder, '/the/socket');
  expect(liveHolder(folder)).toMatchObject({ pid: process.pid, socketFolder: '/the/socket' });
  lock.release();
  expect(liveHolder(folder)).toBeUndefined();
  takeLock(folder, folder);
});

test('the lock of a dead process is taken over', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'lock.4'), holder(await deadPid(), '1'));
  expect(liveHolder(folder)).toBeUndefined();
  takeLock(folder, folder);
  expect(readdirSync(folder)).toEqual(['lock.5']);
});

test('a process id that was given to another process since then holds nothing', () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'lock.1'), holder(process.pid, 'at another time'));
  takeLock(folder, folder);
});

test('a lock that is killed in its sleep does not outlive its process', async () => {
  const folder = newFolder();
  const program = startProgram('test/programs/take-lock.ts', [folder]);
  program.say('go');
  await program.line((line) => line === 'won');
  expect(() => takeLock(folder, folder)).toThrow(`process id ${program.process.pid}`);
  program.process.kill('SIGKILL');
  await program.exited;
  takeLock(folder, folder);
});

test('of twenty processes that race for a stale lock exactly one wins', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'lock.1'), holder(await deadPid(), '1'));
  const racers = Array.from({ length: 20 }, () => startProgram('test/programs/take-lock.ts', [folder]));
  await Promise.all(racers.map((racer) => racer.line((line) => line === 'ready')));
  for (const racer of racers) racer.say('go');
  const outcomes = await Promise.all(racers.map((racer) => racer.line((line) => /^(won|refused)/.test(line))));
  expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1);
  const winner = racers[outcomes.indexOf('won')];
  expect(outcomes.filter((outcome) => outcome.includes(`process id ${winner?.process.pid}.`))).toHaveLength(19);
}, 60_000);
