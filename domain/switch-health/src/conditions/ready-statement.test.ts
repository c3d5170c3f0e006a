import { expect, it } from 'vitest';

import type { ConditionStatement } from './condition-statement.ts';
import { readyStatement } from './ready-statement.ts';

type Word = ConditionStatement['status'];

it.each<[string, Word, readonly (readonly [Word, string])[], string]>([
  [
    'True, when all are',
    'True',
    [
      ['True', 'A'],
      ['True', 'B'],
    ],
    'True Itself',
  ],
  ['False, when the switch itself is, whatever the others are', 'False', [['False', 'A']], 'False Itself'],
  [
    'False by the first that is',
    'True',
    [
      ['Unknown', 'A'],
      ['False', 'B'],
      ['False', 'C'],
    ],
    'False B',
  ],
  ['False by another, though nothing is known of the switch itself', 'Unknown', [['False', 'A']], 'False A'],
  [
    'Unknown, when one is and none is False',
    'True',
    [
      ['True', 'A'],
      ['Unknown', 'B'],
    ],
    'Unknown B',
  ],
  ['Unknown, when nothing is known of the switch itself', 'Unknown', [['True', 'A']], 'Unknown Itself'],
  ['not touched by what does not apply', 'True', [['Unknown', 'NotConfigured']], 'True Itself'],
])('Ready is %s', (_what, itself, parts, words) => {
  const statements = parts.map(([status, reason]) => statement(reason, status));

  const ready = readyStatement(statement('Itself', itself), statements);

  expect(`${ready.status} ${ready.reason}`).toBe(words);
  expect(ready.type).toBe('about Itself');
});

function statement(reason: string, status: Word): ConditionStatement {
  return { type: `about ${reason}`, status, reason, message: 'm' };
}
