import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { VirtualMachineInstanceSpec } from '@smalt/vm-api';

import type { ClusterSettings } from '../cluster-settings.ts';
import { context, instance, settings, spec } from '../fixtures/small-instance.ts';
import { validateInstance } from '../validation/validate-instance.ts';
import { defaultInstance } from './default-instance.ts';
import type { DefaultingContext } from './default-step.ts';

const UUID = '6a1a24a1-4061-4607-8bf4-a3963d0c5895';
const NOW = '2026-08-22T10:34:54Z';

describe('defaultInstance', () => {
  it('fills in all that the smallest instance does not say', () => {
    const given = instance({
      domain: { devices: {}, resources: { requests: { memory: '1Gi' } } },
      volumes: [{ name: 'root', containerDisk: { image: 'registry/alpine:3' } }],
    });

    const filled = defaultInstance(given, defaulting());

    expect(filled).toEqual({
      ...given,
      metadata: {
        ...given.metadata,
        annotations: { 'kubevirt.io/pci-topology-version': 'v3', 'smalt.dev/mac-seed': UUID },
        finalizers: ['kubevirt.io/foregroundDeleteVirtualMachine'],
      },
      spec: {
        architecture: 'amd64',
        hypervisor: 'qemu-kvm',
        evictionStrategy: 'None',
        domain: {
          machine: { type: 'q35' },
          resources: { requests: { memory: '1Gi' } },
          memory: { guest: '1Gi', maxGuest: '4Gi' },
          cpu: { sockets: 1, cores: 1, threads: 1, maxSockets: 4, model: 'host-model' },
          features: { acpi: { enabled: true } },
          firmware: { uuid: UUID },
          devices: {
            disks: [{ name: 'root', disk: { bus: 'sata' } }],
            interfaces: [{ name: 'default', bridge: {} }],
          },
        },
        networks: [{ name: 'default', pod: {} }],
        volumes: [{ name: 'root', containerDisk: { image: 'registry/alpine:3', imagePullPolicy: 'IfNotPresent' } }],
      },
      status: {
        memory: { guestAtBoot: '1Gi', guestCurrent: '1Gi', guestRequested: '1Gi' },
        currentCPUTopology: { sockets: 1, cores: 1, threads: 1 },
        runtimeUser: 107,
        phase: 'Pending',
        phaseTransitionTimestamps: [{ phase: 'Pending', phaseTransitionTimestamp: NOW }],
      },
    });
  });

  it.each([
    ['a seed of its own, where nobody made it', undefined, undefined, UUID],
    ['the seed that it brings', undefined, 'mine', 'mine'],
    ['none where its virtual machine has none', 'VirtualMachine', undefined, undefined],
    ['one of its own, where a replica set made it', 'VirtualMachineInstanceReplicaSet', undefined, UUID],
  ])('has for its hardware addresses %s', (_, owner, brought, seed) => {
    const ownerReferences =
      owner === undefined ? [] : [{ apiVersion: 'kubevirt.io/v1', kind: owner, name: 'a', uid: 'u' }];
    const annotations = brought === undefined ? {} : { 'smalt.dev/mac-seed': brought };
    const given = instance();

    const filled = defaultInstance(
      { ...given, metadata: { ...given.metadata, ownerReferences, annotations } },
      defaulting(),
    );

    expect(filled.metadata.annotations?.['smalt.dev/mac-seed']).toBe(seed);
  });

  it('changes neither what it is given nor what an instance says itself', () => {
    const said: VirtualMachineInstanceSpec = {
      architecture: 'arm64',
      hypervisor: 'qemu',
      evictionStrategy: 'LiveMigrate',
      domain: {
        machine: { type: 'virt-9' },
        memory: { guest: '2Gi', maxGuest: '3Gi' },
        cpu: { cores: 2, model: 'host-passthrough', maxSockets: 9 },
        features: { acpi: { enabled: false } },
        firmware: { uuid: 'mine', bootloader: { efi: { secureBoot: true } } },
        devices: {
          autoattachPodInterface: false,
          disks: [{ name: 'a', cdrom: { bus: 'scsi', readonly: false, tray: 'open' } }],
        },
      },
      volumes: [{ name: 'a', containerDisk: { image: 'a', imagePullPolicy: 'Never' } }],
    };
    const given = deepFreeze(instance(said));

    expect(defaultInstance(given, defaulting()).spec).toEqual(said);
  });

  it('takes no word for what only the control plane knows', () => {
    const given = instance(spec(), { status: { nodeName: 'node-1', phase: 'Running', evacuationNodeName: 'node-1' } });

    const { status } = defaultInstance(given, defaulting());

    expect(status).toEqual(defaultInstance(instance(), defaulting()).status);
  });

  it('gives the same again when it is asked twice, and what every rule accepts', () => {
    fc.assert(
      fc.property(arbitrarySpec(), (parts) => {
        const once = defaultInstance(deepFreeze(instance(parts)), defaulting());

        expect(defaultInstance(once, defaulting())).toEqual(once);
        expect(validateInstance(once, context())).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

function defaulting(parts: Partial<ClusterSettings> = {}): DefaultingContext {
  return { settings: settings(parts), now: () => new Date(NOW), randomUuid: () => UUID };
}

/** Specs of all sorts that leave many things open and say nothing wrong. */
function arbitrarySpec(): fc.Arbitrary<VirtualMachineInstanceSpec> {
  const cpu = fc.record(
    { sockets: fc.integer({ min: 1, max: 64 }), cores: fc.integer({ min: 1, max: 8 }), model: fc.constant('') },
    { requiredKeys: [] },
  );
  const memory = fc.record({ guest: fc.constantFrom('64Mi', '1Gi', '1500M', 1_073_741_824) });
  const hyperv = fc.record(
    { evmcs: fc.constant({}), ipi: fc.constant({}), tlbflush: fc.constant({}), synictimer: fc.constant({}) },
    { requiredKeys: [] },
  );
  const target = fc.constantFrom({}, { disk: {} }, { cdrom: { bus: 'scsi' } }, { disk: { bus: 'virtio' } });
  return fc
    .record({ architecture: fc.constantFrom('', 'amd64', 's390x'), cpu, memory, hyperv, target })
    .map(({ architecture, cpu: processors, memory: amount, hyperv: enlightenments, target: device }) => ({
      architecture,
      domain: {
        cpu: processors,
        memory: amount,
        features: { hyperv: enlightenments },
        devices: { disks: [{ name: 'a', ...device }], rng: {} },
      },
      volumes: [
        { name: 'a', containerDisk: { image: 'a' } },
        { name: 'b', emptyDisk: { capacity: '1Gi' } },
      ],
    }));
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
