import { expect, it } from 'vitest';

import { bedHelp, parseBedCommand } from './bed-command.ts';

it.each([
  { words: [], command: 'start' },
  { words: ['--build'], command: 'build' },
  { words: ['--check'], command: 'check' },
  { words: ['--help'], command: 'help' },
])('reads "$words" as $command', ({ words, command }) => {
  expect(parseBedCommand(words)).toBe(command);
});

it.each([
  { words: ['--run'], message: '--run: is none of --build, --check, --help; without one a cluster is started' },
  { words: ['--build', '--check'], message: '--check: one of --build, --check, --help at a time' },
])('refuses "$words"', ({ words, message }) => {
  expect(() => parseBedCommand(words)).toThrow(expect.objectContaining({ code: 'invalid-option', message }));
});

it('explains each of them', () => {
  expect(bedHelp()).toMatch(/starts a cluster[^]*^ {2}--build [^]*^ {2}--check /m);
});
