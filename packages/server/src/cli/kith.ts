#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// What was compiled once is kept for the next start, which takes half as long; so the rest is loaded after this.
enableCompileCache();
const { runProgram } = await import('./program.ts');
const { processTerminal } = await import('./terminal.ts');

process.exitCode = await runProgram(process.argv.slice(2), processTerminal());
