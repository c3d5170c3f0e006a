import { expect, it } from 'vitest';

import { toleratesTaint, type Toleration } from './tolerates-taint.ts';

const PLAIN = { key: 'kvm.cloud.sap/offboarding', effect: 'NoExecute' } as const;

it.each<{ toleration: Toleration; value?: string; covers: boolean }>([
  { toleration: {}, covers: false },
  { toleration: { operator: 'Exists' }, covers: true },
  { toleration: { operator: 'Exists', value: 'ignored' }, covers: true },
  { toleration: { operator: 'Exists', effect: 'NoExecute' }, covers: true },
  { toleration: { operator: 'Exists', effect: 'NoSchedule' }, covers: false },
  { toleration: { key: PLAIN.key, operator: 'Exists' }, covers: true },
  { toleration: { key: PLAIN.key, operator: 'Exists', effect: 'NoExecute' }, covers: true },
  { toleration: { key: PLAIN.key, operator: 'Exists', effect: 'PreferNoSchedule' }, covers: false },
  { toleration: { key: 'kvm.cloud.sap/other', operator: 'Exists' }, covers: false },
  { toleration: { key: PLAIN.key }, covers: true },
  { toleration: { key: PLAIN.key, operator: 'Equal', value: '' }, covers: true },
  { toleration: { key: PLAIN.key, operator: 'Equal', value: 'yes' }, covers: false },
  { toleration: { key: PLAIN.key, value: 'yes' }, value: 'yes', covers: true },
  { toleration: { key: PLAIN.key, operator: 'Equal' }, value: 'yes', covers: false },
  { toleration: { operator: 'Equal' }, covers: false },
  { toleration: { key: PLAIN.key, operator: 'Lt', value: '5' }, covers: false },
])('says that $toleration covers a taint with value $value: $covers', ({ toleration, value, covers }) => {
  const taint = value === undefined ? PLAIN : { ...PLAIN, value };

  expect(toleratesTaint(toleration, taint)).toBe(covers);
});
