#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';

// Types are stripped once, not at every start: a fraction of the time and of the memory.
if (import.meta.filename.endsWith('.ts'))
  enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compiled'));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(isForPeople(error) ? error.message : error);
  process.exitCode = 1;
}

async function main([command, ...words]: readonly string[]): Promise<number> {
  // Each command loads what it needs alone: a server stays for months, and what it never uses stays with it.
  if (command !== 'apiserver') {
    const { commandLine } = await import('./command-line.ts');
    await commandLine().parseAsync();
    return 0;
  }
  // Loading makes garbage once; without this the room for it would stay, 10 MiB that an idle server does not need.
  setFlagsFromString('--semi-space-growth-factor=1');
  const { apiServerCommand } = await import('./api-server-command.ts');
  const { standardStream } = await import('./standard-stream.ts');
  const streams = { output: standardStream(1), errors: standardStream(2) };
  return apiServerCommand({ arguments: words, environment: process.env, process, ...streams, onReady: allowGrowth });
}

/** Under load room for garbage is worth having; 2 is what V8 starts with. */
function allowGrowth(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
}

/** Whether an error says in one sentence what is wrong, so that its stack would only be in the way. */
function isForPeople(error: unknown): error is Error {
  return error instanceof Error && 'code' in error;
}
