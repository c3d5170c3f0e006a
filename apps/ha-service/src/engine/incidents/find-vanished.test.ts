import { expect, it } from 'vitest';

import { mayBeOn } from './find-vanished.ts';

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
