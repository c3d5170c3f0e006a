import { expect, it } from 'vitest';

import type { DaemonFacts } from '../../switch-facts.ts';
import { advanceRestarts, type Restarts } from './restarts.ts';

it.each<[string, readonly [number, DaemonFacts][], number | undefined]>([
  ['the first process is no restart', [[5, running(1)]], undefined],
  [
    'the same one is none',
    [
      [5, running(1)],
      [6, running(1)],
    ],
    undefined,
  ],
  [
    'another one is',
    [
      [5, running(1)],
      [6, { state: 'gone', since: 6 }],
      [7, running(2)],
    ],
    7,
  ],
  [
    'one that lives and is silent is none yet',
    [
      [5, running(1)],
      [6, { ...running(2), state: 'silent' }],
    ],
    undefined,
  ],
  [
    'the last one counts',
    [
      [5, running(1)],
      [6, running(2)],
      [7, running(3)],
      [8, running(3)],
    ],
    7,
  ],
])('%s', (_what, looks, restartedAt) => {
  const last = looks.reduce<Restarts | undefined>((old, [at, facts]) => advanceRestarts(old, facts, at), undefined);

  expect(last?.restartedAt).toBe(restartedAt);
});

function running(processId: number): DaemonFacts {
  return { state: 'answering', since: 0, processId };
}
