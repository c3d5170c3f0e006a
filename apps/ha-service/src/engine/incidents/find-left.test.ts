import { expect, it } from 'vitest';

import { fateOf, mayBeOn } from './find-left.ts';

it.each([
  { case: 'says that it is on it', state: 'running', hostName: 'n1', may: true },
  { case: 'is stopped on it', state: 'stopped', hostName: 'n1', may: true },
  { case: 'is on another one', state: 'running', hostName: 'n2', may: false },
  { case: 'is of a cell that is away', state: 'busy', hostName: undefined, may: true },
  { case: 'is on no host yet', state: 'building', hostName: undefined, may: false },
  { case: 'is being deleted', state: 'deleting', hostName: 'n1', may: false },
  { case: 'was put away', state: 'shelved', hostName: undefined, may: false },
] as const)('an instance that $case may be on a host that does not list it: $may', ({ state, hostName, may }) => {
  expect(mayBeOn({ state, hostName }, 'n1')).toBe(may);
});

it.each([
  ['runs', { state: 'running', isMeantToRun: true }, 'elsewhere'],
  ['runs and is paused', { state: 'paused', isMeantToRun: true }, 'elsewhere'],
  ['is being started', { state: 'building', isMeantToRun: true }, 'coming'],
  ['was ended with its host', { state: 'failed', isMeantToRun: true }, 'coming'],
  ['was ended with its host, and its owner alone starts it', { state: 'failed', isMeantToRun: false }, 'off'],
  ['makes way for another of its machine', { state: 'deleting', isMeantToRun: true }, 'coming'],
  ['was put off', { state: 'stopped', isMeantToRun: true }, 'off'],
  ['is not there any more', undefined, 'gone'],
] as const)('what was on the host and %s has the fate %s', (_what, found, fate) => {
  expect(fateOf(found)).toBe(fate);
});
