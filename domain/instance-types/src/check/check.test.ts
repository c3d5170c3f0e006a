import type {
  InstancetypeMatcher,
  VirtualMachine,
  VirtualMachineInstanceSpec,
  VirtualMachineInstancetypeSpec,
  VirtualMachinePreferenceSpec,
} from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { checkRequirements } from './check-requirements.ts';
import { instancetypeWarnings, validateInstancetype } from './validate-instancetype.ts';
import { validateMatchers } from './validate-matchers.ts';
import { preferenceWarnings, validatePreference } from './validate-preference.ts';

describe('checkRequirements', () => {
  const CPU = 'spec.template.spec.domain.cpu';
  it.each<[string, VirtualMachinePreferenceSpec, Partial<VirtualMachineInstanceSpec['domain']>, string | undefined]>([
    ['enough sockets', { requirements: { cpu: { guest: 2 } } }, { cpu: { sockets: 2 } }, undefined],
    [
      'cores where sockets count',
      { requirements: { cpu: { guest: 2 } } },
      { cpu: { sockets: 1, cores: 2 } },
      `${CPU}.sockets`,
    ],
    ['no processors', { requirements: { cpu: { guest: 1 } } }, {}, CPU],
    [
      'too few of any',
      { cpu: { preferredCPUTopology: 'any' }, requirements: { cpu: { guest: 9 } } },
      { cpu: { sockets: 2, cores: 2, threads: 2 } },
      `${CPU}.cores, ${CPU}.sockets, ${CPU}.threads`,
    ],
    [
      'too few spread over cores and threads',
      {
        cpu: { preferredCPUTopology: 'spread', spreadOptions: { across: 'CoresThreads' } },
        requirements: { cpu: { guest: 4 } },
      },
      { cpu: { sockets: 4, cores: 1, threads: 2 } },
      `${CPU}.cores, ${CPU}.threads`,
    ],
    ['enough memory', { requirements: { memory: { guest: '1Gi' } } }, { memory: { guest: '1024Mi' } }, undefined],
    [
      'too little memory',
      { requirements: { memory: { guest: '1Gi' } } },
      { memory: { guest: '1G' } },
      'spec.template.spec.domain.memory',
    ],
    [
      'memory that cannot be read',
      { requirements: { memory: { guest: '1Gi' } } },
      { memory: { guest: 'much' } },
      undefined,
    ],
    ['another architecture', { requirements: { architecture: 'arm64' } }, {}, 'spec.template.spec.architecture'],
  ])('judges %s', (_what, preference, domain, field) => {
    const causes = checkRequirements({ preference }, spec(domain));

    expect(causes.map((cause) => cause.field)).toEqual(field === undefined ? [] : [field]);
  });

  it('looks at the instance type where there is one', () => {
    const preference = { requirements: { cpu: { guest: 4 }, memory: { guest: '4Gi' } } };
    const instancetype = { cpu: { guest: 2 }, memory: { guest: '2Gi' } };

    const causes = checkRequirements({ instancetype, preference }, spec({ memory: { guest: '2Gi' } }));

    expect(
      causes.map(({ field, message }) => [field, message.replace('failure checking preference requirements: ', '')]),
    ).toEqual([
      [
        'spec.instancetype',
        'insufficient CPU resources of 2 vCPU provided by instance type, preference requires 4 vCPU',
      ],
      ['spec.instancetype', 'insufficient Memory resources of 2Gi provided by instance type, preference requires 4Gi'],
    ]);
  });
});

describe('validateInstancetype', () => {
  it.each<[string, VirtualMachineInstancetypeSpec['memory'], number]>([
    ['plain memory', { guest: '1Gi' }, 0],
    ['some overcommitment', { guest: '1Gi', overcommitPercent: 15 }, 0],
    ['more than all', { guest: '1Gi', overcommitPercent: 101 }, 1],
    ['overcommitted huge pages', { guest: '1Gi', overcommitPercent: 15, hugepages: { pageSize: '2Mi' } }, 1],
  ])('judges %s', (_what, memory, count) => {
    const causes = validateInstancetype({ cpu: { guest: 1 }, memory });

    expect(causes.map(({ field }) => field)).toEqual(
      Array.from({ length: count }, () => 'spec.memory.overcommitPercent'),
    );
  });

  it('warns of a field that goes', () => {
    const plain = { cpu: { guest: 1 }, memory: { guest: '1Gi' } };

    expect(instancetypeWarnings(plain)).toEqual([]);
    expect(instancetypeWarnings({ ...plain, launchSecurity: {} })).toHaveLength(1);
  });
});

describe('validatePreference', () => {
  it.each<[string, VirtualMachinePreferenceSpec, string | undefined]>([
    ['nothing', {}, undefined],
    ['a word of before', { cpu: { preferredCPUTopology: 'preferCores' } }, undefined],
    ['a word that nobody knows', { cpu: { preferredCPUTopology: 'toString' } }, 'spec.cpu.preferredCPUTopology'],
    ['a spread', { cpu: { preferredCPUTopology: 'spread', spreadOptions: { ratio: 4 } } }, undefined],
    ['a spread over something else', spread({ across: 'Nodes' }), 'spec.cpu.spreadOptions.across'],
    ['more than two threads', spread({ across: 'CoresThreads', ratio: 4 }), 'spec.cpu.spreadOptions.ratio'],
    ['a ratio of none', spread({ ratio: 0 }), 'spec.cpu.spreadOptions.ratio'],
    ['options of a spread that is not', { cpu: { spreadOptions: { across: 'Nodes' } } }, undefined],
  ])('judges %s', (_what, preference, field) => {
    expect(validatePreference(preference).map((cause) => cause.field)).toEqual(field === undefined ? [] : [field]);
  });

  it('warns of words of before', () => {
    expect(preferenceWarnings({ cpu: { preferredCPUTopology: 'cores' } })).toEqual([]);
    expect(preferenceWarnings({ cpu: { preferredCPUTopology: 'preferCores' } })).toEqual([
      'PreferredCPUTopology preferCores is deprecated for removal in a future release, please use cores instead',
    ]);
  });
});

describe('validateMatchers', () => {
  it.each<[string, InstancetypeMatcher, readonly string[]]>([
    ['a name', { name: 'small' }, []],
    ['nothing', {}, ['spec.instancetype']],
    ['a volume', { inferFromVolume: 'root' }, []],
    [
      'a volume and a name',
      { inferFromVolume: 'root', name: 'a', kind: 'b' },
      ['spec.instancetype.name', 'spec.instancetype.kind'],
    ],
    [
      'a policy that nobody knows',
      { inferFromVolume: 'root', inferFromVolumeFailurePolicy: 'Wait' },
      ['spec.instancetype.inferFromVolumeFailurePolicy'],
    ],
  ])('judges %s', (_what, instancetype, fields) => {
    expect(validateMatchers(machine({ instancetype }), undefined).map(({ field }) => field)).toEqual(fields);
  });

  it('takes no other name with the revision of the old one', () => {
    const old = machine({ preference: { name: 'a', revisionName: 'kept' } });

    const same = validateMatchers(machine({ preference: { name: 'b', revisionName: 'kept' } }), old);
    const cleared = validateMatchers(machine({ preference: { name: 'b' } }), old);

    expect(same.map(({ field }) => field)).toEqual(['spec.preference.revisionName']);
    expect(cleared).toEqual([]);
  });
});

function spec(domain: Partial<VirtualMachineInstanceSpec['domain']>): VirtualMachineInstanceSpec {
  return { architecture: 'amd64', domain: { devices: {}, ...domain } };
}

function spread(spreadOptions: { across?: string; ratio?: number }): VirtualMachinePreferenceSpec {
  return { cpu: { preferredCPUTopology: 'spread', spreadOptions } };
}

function machine(chosen: Partial<VirtualMachine['spec']>): VirtualMachine {
  const template = { spec: spec({}) };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: 'vm' },
    spec: { template, ...chosen },
  };
}
