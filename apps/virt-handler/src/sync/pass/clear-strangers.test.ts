import type { VirtualMachineInstance } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { anInstance } from '../fixtures/an-instance.ts';
import { isStranger } from './clear-strangers.ts';

interface Row {
  readonly when: string;
  readonly uid: string;
  readonly instance: VirtualMachineInstance | undefined;
  readonly isNobodys: boolean;
}

const ROWS: readonly Row[] = [
  { when: 'its instance is gone', uid: 'u-1', instance: undefined, isNobodys: true },
  { when: 'its instance is another one', uid: 'u-0', instance: on('here'), isNobodys: true },
  { when: 'its instance is here', uid: 'u-1', instance: on('here'), isNobodys: false },
  { when: 'its instance is nowhere', uid: 'u-1', instance: on(undefined), isNobodys: false },
  { when: 'its instance is elsewhere', uid: 'u-1', instance: on('there'), isNobodys: true },
  { when: 'its instance is coming', uid: 'u-1', instance: on('there', { targetNode: 'here' }), isNobodys: false },
  {
    when: 'its instance did not come',
    uid: 'u-1',
    instance: on('there', { targetNode: 'here', completed: true }),
    isNobodys: true,
  },
  { when: 'its instance is leaving', uid: 'u-1', instance: on('there', { sourceNode: 'here' }), isNobodys: false },
  {
    when: 'its instance has left',
    uid: 'u-1',
    instance: on('there', { sourceNode: 'here', completed: true }),
    isNobodys: true,
  },
];

it.each(ROWS)('a guest is nobody’s when $when: $isNobodys', ({ uid, instance, isNobodys }) => {
  expect(isStranger(uid, instance, 'here')).toBe(isNobodys);
});

function on(
  place: string | undefined,
  migrationState?: NonNullable<VirtualMachineInstance['status']>['migrationState'],
): VirtualMachineInstance {
  const instance = anInstance(migrationState === undefined ? {} : { migrationState });
  const labels = place === undefined ? {} : { 'kubevirt.io/nodeName': place };
  return { ...instance, metadata: { ...instance.metadata, labels } };
}
