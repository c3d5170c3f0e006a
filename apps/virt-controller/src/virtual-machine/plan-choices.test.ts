import type { VirtualMachine, VirtualMachineInstancetype, VirtualMachinePreference } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { planChoices, type ChoicePlan } from './plan-choices.ts';

const SMALL = { name: 'small', kind: 'VirtualMachineInstancetype' };
const LINUX = { name: 'linux', kind: 'VirtualMachinePreference' };
const SMALL_NAME = 'vm-small-v1beta1-u1-2';
const KEPT = { ...SMALL, controllerRevisionRef: { name: SMALL_NAME } };

it.each<[string, Partial<VirtualMachine['spec']>, VirtualMachine['status'], Partial<ChoicePlan>]>([
  ['a machine that chooses nothing', {}, undefined, { kind: 'settled' }],
  ['a choice that is kept already', { instancetype: SMALL }, { instancetypeRef: KEPT }, { kind: 'settled' }],
  [
    'a new choice',
    { instancetype: SMALL },
    undefined,
    { kind: 'keep', status: { instancetypeRef: KEPT }, revisions: [expect.objectContaining({ name: SMALL_NAME })] },
  ],
  [
    'a choice beside one that is kept',
    { instancetype: SMALL, preference: LINUX },
    { instancetypeRef: KEPT },
    {
      kind: 'keep',
      status: {
        instancetypeRef: KEPT,
        preferenceRef: { ...LINUX, controllerRevisionRef: { name: 'vm-linux-v1beta1-u2-1' } },
      },
      revisions: [expect.objectContaining({ name: 'vm-linux-v1beta1-u2-1' })],
    },
  ],
  [
    'a revision that the machine names itself',
    { instancetype: { ...SMALL, revisionName: 'mine' } },
    { instancetypeRef: KEPT },
    { kind: 'keep', status: { instancetypeRef: { ...SMALL, controllerRevisionRef: { name: 'mine' } } }, revisions: [] },
  ],
  ['a choice that was taken back', {}, { instancetypeRef: KEPT }, { kind: 'keep', status: {}, revisions: [] }],
])('plans for %s', (_what, spec, status, plan) => {
  expect(planChoices(machine(spec, status), find, SETTINGS)).toMatchObject(plan);
});

it.each<[string, Partial<VirtualMachine['spec']>, string, string]>([
  [
    'what is not there',
    { preference: { name: 'nobody' } },
    'FailedFindPreference',
    'no VirtualMachineClusterPreference',
  ],
  ['a kind of another sort', { instancetype: { ...LINUX } }, 'FailedFindInstancetype', 'spec.instancetype.kind'],
  ['no name', { instancetype: {} }, 'FailedFindInstancetype', 'spec.instancetype.name is not set'],
  [
    'a type that stands against the template',
    { instancetype: SMALL, template: { spec: { domain: { cpu: { cores: 2 }, devices: {} } } } },
    'FailedCreate',
    'spec.template.spec.domain.cpu.cores conflicts',
  ],
])('tells of %s, and keeps nothing', (_what, spec, reason, words) => {
  expect(planChoices(machine(spec, undefined), find, SETTINGS)).toEqual({
    kind: 'problem',
    problem: { reason, message: expect.stringContaining(words) },
  });
});

const SETTINGS = { defaultNetworkInterface: 'bridge' } as const;

function machine(spec: Partial<VirtualMachine['spec']>, status: VirtualMachine['status']): VirtualMachine {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'vm', namespace: 'default' },
    spec: { template: { spec: { domain: { devices: {} } } }, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

function find({ name }: { readonly name: string }): VirtualMachineInstancetype | VirtualMachinePreference | undefined {
  const apiVersion = 'instancetype.kubevirt.io/v1beta1';
  if (name === 'small') {
    const metadata = { name, namespace: 'default', uid: 'u1', generation: 2 };
    return {
      apiVersion,
      kind: 'VirtualMachineInstancetype',
      metadata,
      spec: { cpu: { guest: 1 }, memory: { guest: '64Mi' } },
    };
  }
  if (name !== 'linux') return undefined;
  return { apiVersion, kind: 'VirtualMachinePreference', metadata: { name, uid: 'u2', generation: 1 }, spec: {} };
}
