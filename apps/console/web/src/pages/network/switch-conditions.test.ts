import { expect, it } from 'vitest';

import { conditionWords } from '../../parts/condition-words.ts';
import { switchConditions } from './switch-conditions.ts';

const UNKNOWN = { type: 'OVNControllerConnected', status: 'Unknown' };

it.each([
  ['is not used', {}, 'quiet', 'OVN is not used'],
  ['cannot be asked', { ovnController: { connected: false } }, 'warning', 'OVN controller connected: nobody knows'],
])('where OVN %s, nobody knowing of it is told as such', (_given, status, tone, words) => {
  expect(conditionWords(UNKNOWN, switchConditions(status)[UNKNOWN.type])).toMatchObject({ tone, words });
});
