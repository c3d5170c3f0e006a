import type { Volume } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import type { EventObject } from '../../../api/core-kinds.ts';
import { running, virtualMachine } from '../fixtures/machines.ts';
import { conditionsOf } from '../machine-conditions.ts';
import { makeMachine } from '../machine.ts';
import { isAbout } from './is-about.ts';
import { parseMachineTab } from './machine-tab.ts';
import { sourceWords, volumeRows } from './volume-rows.ts';

it.each([
  { kind: 'VirtualMachine', name: 'web', about: true },
  { kind: 'VirtualMachineInstance', name: 'web', about: true },
  { kind: 'VirtualMachineInstanceMigration', name: 'web-x7k2p', about: true },
  { kind: 'Pod', name: 'virt-launcher-web-abcde', about: true },
  { kind: 'Pod', name: 'web', about: false },
  { kind: 'VirtualMachine', name: 'web-2', about: false },
])('an event of $kind $name is about web: $about', ({ kind, name, about }) => {
  expect(isAbout(event(kind, name), 'web')).toBe(about);
});

it.each([
  { volume: { name: 'a', containerDisk: { image: 'demo' } }, words: 'Image demo' },
  { volume: { name: 'a', persistentVolumeClaim: { claimName: 'data' } }, words: 'Claim data' },
  { volume: { name: 'a', emptyDisk: { capacity: '1Gi' } }, words: 'Blank disk of 1Gi' },
  { volume: { name: 'a', cloudInitConfigDrive: {} }, words: 'cloud-init' },
  { volume: { name: 'a', configMap: { name: 'x' } }, words: 'configMap' },
] satisfies readonly { volume: Volume; words: string }[])('says $words', ({ volume, words }) => {
  expect(sourceWords(volume)).toBe(words);
});

it('offers to remove only what was plugged in', () => {
  const base = virtualMachine('web');
  const volumes: readonly Volume[] = [
    { name: 'root', containerDisk: { image: 'demo' } },
    { name: 'data', persistentVolumeClaim: { claimName: 'data', hotpluggable: true } },
  ];
  const domain = { devices: { disks: [{ name: 'root', disk: { bus: 'virtio' } }] } };

  const machine = makeMachine({ ...base, spec: { template: { spec: { domain, volumes } } } }, undefined);

  expect(machine && volumeRows(machine)).toEqual([
    { name: 'root', source: 'Image demo', bus: 'Disk, virtio', state: 'Not in use', canBeRemoved: false },
    { name: 'data', source: 'Claim data', bus: 'No disk', state: 'Not in use', canBeRemoved: true },
  ]);
});

it('takes conditions of the instance before those of the machine', () => {
  const machine = running('web', { conditions: [{ type: 'Ready', status: 'True' }] });
  const both = makeMachine(
    virtualMachine('web', {
      conditions: [
        { type: 'Ready', status: 'False' },
        { type: 'RestartRequired', status: 'True' },
      ],
    }),
    machine.instance,
  );

  expect(both && conditionsOf(both).map(({ type, status }) => `${type} ${status}`)).toEqual([
    'Ready True',
    'RestartRequired True',
  ]);
});

it('opens the overview for parts that there are not', () => {
  expect([{ tab: 'console' }, { tab: 'overview' }, { tab: 'x' }, {}].map(parseMachineTab)).toEqual([
    { tab: 'console' },
    {},
    {},
    {},
  ]);
});

function event(kind: string, name: string): EventObject {
  return { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, involvedObject: { kind, name } };
}
