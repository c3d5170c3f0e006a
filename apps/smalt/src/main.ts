#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Types are stripped once, not at every start: a fraction of the time and of the memory.
enableCompileCache();

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof Error && !(error instanceof TypeError);
  console.error(isExpected ? error.message : error);
  process.exitCode = 1;
}

async function main([command, ...words]: readonly string[]): Promise<number> {
  // Each command loads what it needs alone: a server stays for months, and what it never uses stays with it.
  if (command !== 'apiserver') {
    const { commandLine } = await import('./command-line.ts');
    await commandLine().parseAsync();
    return 0;
  }
  const { apiServerCommand } = await import('./api-server-command.ts');
  const { stdout: output, stderr: errors, env: environment } = process;
  return apiServerCommand({ arguments: words, environment, process, output, errors });
}
