import { EventEmitter } from 'node:events';

import { expect, it } from 'vitest';

import type { CommandContext } from './command-context.ts';
import { virtHandlerCommand } from './virt-handler-command.ts';

it.each([
  { uri: '{driver}+tcp://{address}/system', warnings: ['migration.uri'] },
  { uri: '{driver}+tls://{address}/system', warnings: [] },
])('warns of guests that move in plain text by $uri', async ({ uri, warnings }) => {
  const lines: string[] = [];
  // Without a cluster it ends there, right after it has begun.
  const words = ['--migration-uri', uri, '--kubeconfig', '/nowhere/config', '--log-format', 'json'];

  await expect(virtHandlerCommand(contextOf(words, lines))).rejects.toThrow('/nowhere/config');

  const records = lines.map((line): Record<string, unknown> => Object(JSON.parse(line)));
  const warned = records.filter(({ level }) => level === 'warn');
  expect(warned.map(({ setting }) => setting)).toEqual(warnings);
  expect(warned.every(({ msg }) => String(msg).startsWith('migration.uri is plain TCP'))).toBe(true);
});

function contextOf(words: readonly string[], errors: string[]): CommandContext {
  return {
    arguments: words,
    environment: {},
    process: Object.assign(new EventEmitter(), { exit: () => undefined as never }),
    output: { write: () => undefined },
    errors: { write: (text) => errors.push(text) },
  };
}
