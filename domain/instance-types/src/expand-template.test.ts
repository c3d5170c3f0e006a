import type {
  VirtualMachineInstanceSpec,
  VirtualMachineInstancetypeSpec,
  VirtualMachinePreferenceSpec,
} from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { expandTemplate, type Expansion } from './expand-template.ts';
import type { InstanceTemplate } from './instance-template.ts';

const MEDIUM: VirtualMachineInstancetypeSpec = { cpu: { guest: 4 }, memory: { guest: '2Gi' } };

describe('an instance type', () => {
  it('gives processors as sockets, and memory', () => {
    expect(specOf(expand({}, { instancetype: MEDIUM }))).toMatchObject({
      domain: { cpu: { sockets: 4, cores: 1, threads: 1 }, memory: { guest: '2Gi' } },
    });
  });

  it('gives everything else that it says', () => {
    const instancetype: VirtualMachineInstancetypeSpec = {
      ...MEDIUM,
      cpu: { guest: 1, model: 'host-model', dedicatedCPUPlacement: true, isolateEmulatorThread: true, maxSockets: 8 },
      nodeSelector: { rack: 'a' },
      schedulerName: 'mine',
      ioThreads: { supplementalPoolThreadCount: 2 },
      ioThreadsPolicy: 'auto',
      launchSecurity: { sev: {} },
      gpus: [{ name: 'gpu', deviceName: 'vendor/gpu' }],
      hostDevices: [{ name: 'stick', deviceName: 'vendor/stick' }],
    };

    expect(specOf(expand({}, { instancetype }))).toMatchObject({
      nodeSelector: { rack: 'a' },
      schedulerName: 'mine',
      domain: {
        cpu: {
          model: 'host-model',
          dedicatedCpuPlacement: true,
          isolateEmulatorThread: true,
          maxSockets: 8,
          sockets: 1,
        },
        ioThreads: { supplementalPoolThreadCount: 2 },
        ioThreadsPolicy: 'auto',
        launchSecurity: { sev: {} },
        devices: { gpus: [{ name: 'gpu' }], hostDevices: [{ name: 'stick' }] },
      },
    });
  });

  it.each([
    { guest: '2Gi', overcommitPercent: 50, request: '1Gi' },
    { guest: '1000M', overcommitPercent: 15, request: '850M' },
    { guest: '3', overcommitPercent: 50, request: '1' },
    { guest: '1Gi', overcommitPercent: 0, request: undefined },
  ])('asks the node for $request of $guest with $overcommitPercent per cent overcommitted', (row) => {
    const { guest, overcommitPercent, request } = row;

    const spec = specOf(expand({}, { instancetype: { cpu: { guest: 1 }, memory: { guest, overcommitPercent } } }));

    expect(spec?.domain.resources?.requests?.['memory']).toBe(request);
    expect(spec?.domain.memory?.guest).toBe(guest);
  });

  it.each<[string, Partial<VirtualMachineInstanceSpec['domain']>, string]>([
    ['sockets', { cpu: { sockets: 1 } }, 'domain.cpu.sockets'],
    ['cores', { cpu: { cores: 1 } }, 'domain.cpu.cores'],
    ['threads', { cpu: { threads: 1 } }, 'domain.cpu.threads'],
    ['a request for processors', { resources: { requests: { cpu: 1 } } }, 'domain.resources.requests.cpu'],
    ['a limit of processors', { resources: { limits: { cpu: 1 } } }, 'domain.resources.limits.cpu'],
    ['memory, be it the same', { memory: { guest: '2Gi' } }, 'domain.memory.guest'],
    ['a request for memory', { resources: { requests: { memory: '1Gi' } } }, 'domain.resources.requests.memory'],
    ['a limit of memory', { resources: { limits: { memory: '1Gi' } } }, 'domain.resources.limits.memory'],
  ])('stands against %s of the machine', (_what, domain, field) => {
    expect(expand({ domain: { devices: {}, ...domain } }, { instancetype: MEDIUM })).toMatchObject({
      kind: 'conflict',
      causes: [
        {
          field: `spec.template.spec.${field}`,
          message: `VM field(s) spec.template.spec.${field} conflicts with selected instance type`,
        },
      ],
    });
  });

  it('stands against all of them at once, and against what it sets itself alone', () => {
    const spec = {
      nodeSelector: {},
      schedulerName: 'other',
      domain: {
        cpu: { sockets: 2, model: 'host-model', dedicatedCpuPlacement: true, numa: {}, realtime: {} },
        memory: { hugepages: { pageSize: '2Mi' } },
        ioThreadsPolicy: 'shared',
        devices: { gpus: [{ name: 'own' }] },
      },
    };
    const instancetype: VirtualMachineInstancetypeSpec = {
      cpu: { guest: 2, model: 'host-passthrough', dedicatedCPUPlacement: false, realtime: {} },
      memory: { guest: '1Gi', hugepages: { pageSize: '1Gi' } },
      nodeSelector: { rack: 'a' },
      ioThreadsPolicy: 'auto',
    };

    const expansion = expand(spec, { instancetype });

    expect(fieldsOf(expansion)).toEqual([
      'nodeSelector',
      'domain.cpu.sockets',
      'domain.cpu.model',
      'domain.cpu.dedicatedCPUPlacement',
      'domain.cpu.realtime',
      'domain.memory.hugepages',
      'domain.ioThreadsPolicy',
    ]);
  });

  it('adds annotations, and stands against others of the same name', () => {
    const instancetype = { ...MEDIUM, annotations: { tier: 'gold' } };

    const added = expandTemplate(annotated({ app: 'db', tier: 'gold' }), { instancetype }, SETTINGS);
    const refused = expandTemplate(annotated({ tier: 'silver' }), { instancetype }, SETTINGS);

    expect(added).toMatchObject({ template: { metadata: { annotations: { app: 'db', tier: 'gold' } } } });
    expect(refused).toMatchObject({ causes: [{ field: 'annotations.tier' }] });
  });
});

const SETTINGS = { defaultNetworkInterface: 'masquerade' } as const;

function empty(): VirtualMachineInstanceSpec {
  return { domain: { devices: {} } };
}

function expand(
  spec: Partial<VirtualMachineInstanceSpec>,
  chosen: { instancetype?: VirtualMachineInstancetypeSpec; preference?: VirtualMachinePreferenceSpec },
): Expansion {
  return expandTemplate({ spec: { ...empty(), ...spec } }, chosen, SETTINGS);
}

function specOf(expansion: Expansion): VirtualMachineInstanceSpec | undefined {
  return expansion.kind === 'expanded' ? expansion.template.spec : undefined;
}

function fieldsOf(expansion: Expansion): readonly string[] {
  const causes = expansion.kind === 'conflict' ? expansion.causes : [];
  return causes.map(({ field }) => field.replace('spec.template.spec.', ''));
}

function annotated(annotations: Record<string, string>): InstanceTemplate {
  return { metadata: { annotations }, spec: empty() };
}
