import type { VirtualMachineInstanceSpec, VirtualMachineSpec } from '@smalt/vm-api';
import { describe, expect, it } from 'vitest';

import { at, guest, instance, machine } from '../fixtures/objects.ts';
import { judgeLiveUpdate } from './live-update.ts';

const base = guest({
  domain: {
    cpu: { sockets: 2, cores: 1, threads: 1, maxSockets: 4, model: 'host-model' },
    memory: { guest: '2Gi', maxGuest: '4Gi' },
    devices: {
      disks: [{ name: 'root', disk: { bus: 'virtio' } }],
      interfaces: [{ name: 'default', masquerade: {} }],
    },
  },
  networks: [{ name: 'default', pod: {} }],
  volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'a' } }],
});
const { domain } = base;
const RESTART = 'a non-live-updatable field was changed in the template spec';
const hotVolume = { name: 'more', persistentVolumeClaim: { claimName: 'b', hotpluggable: true } };

describe('judgeLiveUpdate', () => {
  it.each<[string, VirtualMachineInstanceSpec, readonly string[]]>([
    [
      'more sockets',
      { ...base, domain: { ...domain, cpu: { ...domain.cpu, sockets: 4 } } },
      ['/spec/domain/cpu/sockets'],
    ],
    [
      'more memory',
      { ...base, domain: { ...domain, memory: { ...domain.memory, guest: '4096Mi' } } },
      ['/spec/domain/memory/guest'],
    ],
    ['a node selector', { ...base, nodeSelector: { a: 'b' } }, ['/spec/nodeSelector']],
    ['an affinity', { ...base, affinity: { nodeAffinity: {} } }, ['/spec/affinity']],
    ['a toleration', { ...base, tolerations: [{ operator: 'Exists' }] }, ['/spec/tolerations']],
    [
      'a volume that is plugged in',
      {
        ...base,
        volumes: [...(base.volumes ?? []), hotVolume],
        domain: {
          ...domain,
          devices: { ...domain.devices, disks: [...(domain.devices.disks ?? []), { name: 'more' }] },
        },
      },
      ['/spec/volumes', '/spec/domain/devices/disks'],
    ],
    [
      'a link that is set down',
      {
        ...base,
        domain: {
          ...domain,
          devices: { ...domain.devices, interfaces: [{ name: 'default', masquerade: {}, state: 'down' }] },
        },
      },
      ['/spec/domain/devices/interfaces'],
    ],
    [
      'an interface on a further network',
      {
        ...base,
        networks: [...(base.networks ?? []), { name: 'blue', multus: { networkName: 'blue' } }],
        domain: {
          ...domain,
          devices: {
            ...domain.devices,
            interfaces: [...(domain.devices.interfaces ?? []), { name: 'blue', bridge: {} }],
          },
        },
      },
      ['/spec/networks', '/spec/domain/devices/interfaces'],
    ],
  ])('carries %s into the running guest', (_what, wanted, paths) => {
    const update = judge(wanted);

    expect(update).toMatchObject({ kind: 'live', changes: paths.map((path) => ({ path })) });
    expect(judge(wanted, { rollout: 'Stage' })).toEqual({ kind: 'restart', message: RESTART });
  });

  it.each<[string, VirtualMachineInstanceSpec, string]>([
    ['cores', { ...base, domain: { ...domain, cpu: { ...domain.cpu, cores: 2 } } }, RESTART],
    ['another model', { ...base, domain: { ...domain, cpu: { ...domain.cpu, model: 'Haswell' } } }, RESTART],
    ['another driver', { ...base, hypervisor: 'lxc' }, RESTART],
    [
      'a device that is an empty object',
      { ...base, domain: { ...domain, devices: { ...domain.devices, rng: {} } } },
      RESTART,
    ],
    ['another claim', { ...base, volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'z' } }] }, RESTART],
    [
      'a volume that cannot be plugged in',
      { ...base, volumes: [...(base.volumes ?? []), { name: 'x', emptyDisk: { capacity: '1Gi' } }] },
      RESTART,
    ],
    [
      'another bus',
      {
        ...base,
        domain: { ...domain, devices: { ...domain.devices, disks: [{ name: 'root', disk: { bus: 'sata' } }] } },
      },
      RESTART,
    ],
    [
      'a network that is gone',
      { ...base, networks: [], domain: { ...domain, devices: { ...domain.devices, interfaces: [] } } },
      RESTART,
    ],
    [
      'fewer sockets',
      { ...base, domain: { ...domain, cpu: { ...domain.cpu, sockets: 1 } } },
      'Reduction of CPU socket count requires a restart',
    ],
    [
      'too many sockets',
      { ...base, domain: { ...domain, cpu: { ...domain.cpu, sockets: 5 } } },
      `CPU sockets updated in template spec to a value higher than what's available`,
    ],
    [
      'too much memory',
      { ...base, domain: { ...domain, memory: { ...domain.memory, guest: '5Gi' } } },
      `memory updated in template spec to a value higher than what's available`,
    ],
    [
      'less memory than at the start',
      { ...base, domain: { ...domain, memory: { ...domain.memory, guest: '1Gi' } } },
      'memory updated in template spec to a value lower than what the VM started with',
    ],
  ])('needs a restart for %s', (_what, wanted, message) => {
    expect(judge(wanted)).toEqual({ kind: 'restart', message });
  });

  it('moves a volume to another claim when volumes are to be migrated', () => {
    const wanted = { ...base, volumes: [{ name: 'root', persistentVolumeClaim: { claimName: 'z' } }] };

    expect(judge(wanted, { updateVolumesStrategy: 'Migration' })).toMatchObject({ kind: 'live' });
  });

  it.each([
    ['nothing was changed', base],
    ['only empty lists came', { ...base, tolerations: [], accessCredentials: [] }],
  ])('does nothing when %s', (_when, wanted) => {
    expect(judge(wanted)).toEqual({ kind: 'same' });
  });

  it('does not take for changes what admission has filled in', () => {
    const vmi = instance('Running', {}, {}, { ...base, nodeSelector: { zone: 'from-admission' } });

    expect(judge(base, {}, vmi)).toEqual({ kind: 'same' });
  });

  it('keeps what admission has filled in when it changes a list', () => {
    const filled = { name: 'default', masquerade: {}, model: 'virtio', macAddress: '02:00:00:00:00:01' };
    const current = { ...base, domain: { ...domain, devices: { ...domain.devices, interfaces: [filled] } } };
    const down = [{ name: 'default', masquerade: {}, state: 'down' }];
    const wanted = { ...base, domain: { ...domain, devices: { ...domain.devices, interfaces: down } } };

    expect(judge(wanted, {}, instance('Running', {}, {}, current))).toMatchObject({
      changes: [{ path: '/spec/domain/devices/interfaces', value: [{ ...filled, state: 'down' }] }],
    });
  });

  it('needs a restart when a volume of the start is to be another that can be plugged in', () => {
    const volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'z', hotpluggable: true } }];

    expect(judge({ ...base, volumes })).toEqual({ kind: 'restart', message: RESTART });
  });

  it('waits while the guest is on its way to another node', () => {
    const vmi = instance('Running', { migrationState: { startTimestamp: at(0) } }, {}, base);

    expect(judge({ ...base, nodeSelector: { a: 'b' } }, {}, vmi)).toEqual({ kind: 'same' });
  });
});

describe('a plugged volume that gets another claim', () => {
  const plugged = withMore('b');
  const told = { volumeStatus: [{ name: 'more', target: 'sda', hotplugVolume: {} }] };

  it('is taken out first, with all that can be changed beside it, and the rest is still to follow', () => {
    const wanted = withMore('c', 4);

    const update = judgeFrom(plugged, wanted, instance('Running', told, {}, plugged));

    expect(update).toEqual({
      kind: 'live',
      isComplete: false,
      changes: [
        expect.objectContaining({ path: '/spec/domain/cpu/sockets', value: 4 }),
        expect.objectContaining({ path: '/spec/volumes', value: base.volumes }),
        expect.objectContaining({ path: '/spec/domain/devices/disks', value: domain.devices.disks }),
      ],
    });
  });

  it('waits until the guest has let go of it, and comes then', () => {
    const leaving = judgeFrom(plugged, withMore('c'), instance('Running', told, {}, base));
    const gone = judgeFrom(plugged, withMore('c'), instance('Running', {}, {}, base));

    expect(leaving).toEqual({ kind: 'same' });
    expect(gone).toMatchObject({
      kind: 'live',
      isComplete: true,
      changes: [{ path: '/spec/volumes', value: withMore('c').volumes }, { path: '/spec/domain/devices/disks' }],
    });
  });

  it('comes and goes as a whole when its disk alone is another', () => {
    const sata = withMore('b', 2, 'sata');

    const first = judgeFrom(plugged, sata, instance('Running', told, {}, plugged));
    const then = judgeFrom(plugged, sata, instance('Running', {}, {}, base));

    const paths = [{ path: '/spec/volumes' }, { path: '/spec/domain/devices/disks' }];
    expect(first).toMatchObject({ isComplete: false, changes: paths });
    expect(then).toMatchObject({ isComplete: true, changes: paths });
  });

  it('stays away when it was removed from the instance alone', () => {
    expect(judgeFrom(plugged, plugged, instance('Running', {}, {}, base))).toEqual({ kind: 'same' });
  });

  it('is not taken from a guest that has it by another order', () => {
    const update = judgeFrom(base, withMore('c'), instance('Running', told, {}, plugged));

    expect(update).toMatchObject({ kind: 'restart', message: expect.stringContaining('the volume more') });
  });
});

function withMore(claimName: string, sockets: number = 2, bus: string = 'scsi'): VirtualMachineInstanceSpec {
  const more = { name: 'more', persistentVolumeClaim: { claimName, hotpluggable: true } };
  const disks = [...(domain.devices.disks ?? []), { name: 'more', disk: { bus } }];
  return {
    ...base,
    volumes: [...(base.volumes ?? []), more],
    domain: { ...domain, cpu: { ...domain.cpu, sockets }, devices: { ...domain.devices, disks } },
  };
}

function judgeFrom(
  started: VirtualMachineInstanceSpec,
  wanted: VirtualMachineInstanceSpec,
  vmi: ReturnType<typeof instance>,
) {
  const vm = machine({ template: { spec: wanted } });
  return judgeLiveUpdate({ vm, vmi, startedSpec: { template: { spec: started } }, rollout: 'LiveUpdate' });
}

function judge(
  wanted: VirtualMachineInstanceSpec,
  { rollout = 'LiveUpdate', ...spec }: Partial<VirtualMachineSpec> & { rollout?: 'LiveUpdate' | 'Stage' } = {},
  vmi = instance('Running', { memory: { guestAtBoot: '2Gi' } }, {}, base),
) {
  const vm = machine({ ...spec, template: { spec: wanted } });
  return judgeLiveUpdate({ vm, vmi, startedSpec: { template: { spec: base } }, rollout });
}
