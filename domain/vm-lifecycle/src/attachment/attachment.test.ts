import { placePod } from '@smalt/placement';
import { describe, expect, it } from 'vitest';

import { guest, instance, NOW, node } from '../fixtures/objects.ts';
import { decideInstance } from '../instance/decide-instance.ts';
import { judgeLiveMigratable } from '../instance/judge-live-migratable.ts';
import type { InstanceFacts } from '../instance/instance-facts.ts';
import type { ObservedPod } from '../instance/launcher-pod-state.ts';
import { volumeStatuses } from '../instance/volume-statuses.ts';
import { attachmentName, buildAttachmentPod } from './build-attachment-pod.ts';
import { decideAttachments } from './decide-attachments.ts';

const UID = '12345678-9abc-def0';
const POD = 'hp-volume-12345678-data';
const PLUGGED = guest({ volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'c1', hotpluggable: true } }] });
const settings = {
  image: 'registry/launcher:1',
  driver: { name: 'qemu', device: undefined, overheadBytes: 0n, runsPrivileged: false, emulatesMachine: true },
};

describe('the pod that holds a claim', () => {
  it('goes to the node of its instance, whatever that is tainted with, and nowhere else', () => {
    const pod = buildAttachmentPod(running(), { volumeName: 'data', claimName: 'c1', isBlock: false }, settings);
    const taints = [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }];
    const status = { allocatable: { cpu: '1', memory: '1Gi', pods: '10' } };
    const nodes = ['n0', 'n1', 'n2'].map((name) => ({ ...node(name, 0), spec: { taints }, status }));

    expect(placePod(pod, nodes, [])).toEqual({ kind: 'placed', nodeName: 'n1' });
    expect(placePod(pod, nodes.slice(0, 1), [])).toMatchObject({ kind: 'unschedulable' });
  });

  it('has the claim, an owner, and nothing that is not needed', () => {
    const pod = buildAttachmentPod(running(), { volumeName: 'data', claimName: 'c1', isBlock: false }, settings);

    expect(pod).toMatchObject({
      metadata: {
        name: POD,
        labels: { 'kubevirt.io': 'hotplug-disk', 'smalt.dev/attached-volume': 'data' },
        annotations: { 'kubevirt.io/domain': 'vm' },
        ownerReferences: [{ kind: 'VirtualMachineInstance', uid: UID, controller: true }],
      },
      spec: {
        restartPolicy: 'Never',
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true },
        containers: [{ command: ['smalt', 'virt-launcher'], volumeMounts: [{ name: 'data' }] }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'c1' } }],
      },
    });
  });

  it('is pulled as launchers are', () => {
    const pulled = { ...settings, imagePullPolicy: 'Always', imagePullSecrets: ['registry'] } as const;

    const pod = buildAttachmentPod(running(), { volumeName: 'data', claimName: 'c1', isBlock: false }, pulled);

    expect(pod.spec).toMatchObject({
      imagePullSecrets: [{ name: 'registry' }],
      containers: [{ imagePullPolicy: 'Always' }],
    });
  });

  it('has a block device as one', () => {
    const pod = buildAttachmentPod(running(), { volumeName: 'data', claimName: 'c1', isBlock: true }, settings);

    expect(pod.spec.containers[0]).toMatchObject({ volumeDevices: [{ name: 'data', devicePath: '/dev/data' }] });
    expect(pod.spec.containers[0]).not.toHaveProperty('volumeMounts');
  });
});

const CREATE = { kind: 'create-attachment', volumeName: 'data', claimName: 'c1' };
const DELETE = { kind: 'delete-pod', name: POD, uid: 'pod-uid', isForced: false };
const INFO = { claimName: 'c1' };
/** The pod of the claim `c1` is named, and so may be what the guest uses. */
const NAMED = {
  volumeStatus: [
    { name: 'data', target: 'sda', persistentVolumeClaimInfo: INFO, hotplugVolume: { attachPodUID: 'pod-uid' } },
  ],
};
const LET_GO = { volumeStatus: [{ name: 'data', target: '', persistentVolumeClaimInfo: INFO, hotplugVolume: {} }] };
const TOLD = { volumeStatus: [{ name: 'data', target: 'sda', hotplugVolume: {} }] };

describe('decideAttachments', () => {
  it.each<[string, Partial<InstanceFacts>, readonly unknown[]]>([
    ['brings a claim that is plugged in', {}, [CREATE]],
    ['waits for a claim that is not there', { storage: storage([]) }, []],
    ['waits while the guest is on its way to another node', { hasActiveMigration: true }, []],
    ['waits until the guest runs', { vmi: instance('Scheduled', {}, { uid: UID }, PLUGGED) }, []],
    ['brings nothing to a guest that is to end', { vmi: running({}, { deletionTimestamp: 'x' }) }, []],
    ['brings a claim once', { attachments: [holder('Pending')] }, []],
    ['waits for a pod that is leaving', { attachments: [holder('Running', { deletionTimestamp: 'x' })] }, []],
    ['replaces a pod that has ended', { attachments: [holder('Failed')] }, [DELETE]],
    ['keeps a claim that the guest still has', { vmi: unplugged(TOLD), attachments: [holder('Running')] }, []],
    ['lets a claim go that the guest has let go', { vmi: unplugged({}), attachments: [holder('Running')] }, [DELETE]],
    ['keeps a claim that is wanted no more while the guest has it', { ...swapped(NAMED) }, []],
    ['lets it go when the guest has, before it brings the other', { ...swapped(LET_GO) }, [DELETE]],
    ['brings the other claim then', { ...swapped(LET_GO), attachments: [] }, [{ ...CREATE, claimName: 'c2' }]],
    ['lets a claim go on a node that the guest has left', { vmi: moved(), attachments: [holder('Running')] }, [DELETE]],
    [
      'keeps it while the guest is on its way',
      { vmi: moved(), attachments: [holder('Running')], hasActiveMigration: true },
      [],
    ],
    [
      'keeps claims while the guest shuts down',
      { vmi: running(TOLD, { deletionTimestamp: 'x' }), attachments: [holder('Running')] },
      [],
    ],
    [
      'lets claims go when the guest has ended',
      { vmi: instance('Succeeded', TOLD, {}, PLUGGED), attachments: [holder('Running')] },
      [DELETE],
    ],
    [
      'lets claims go by force on a node that is lost',
      {
        vmi: instance('Failed', { reason: 'NodeUnresponsive', nodeName: 'n9' }, {}, PLUGGED),
        attachments: [holder('Running', { deletionTimestamp: 'x' })],
      },
      [{ ...DELETE, isForced: true }],
    ],
  ])('%s', (_, change, actions) => {
    expect(decideAttachments(facts(change))).toEqual(actions);
  });

  it('lets an instance go only after its claims', () => {
    const ended = instance('Succeeded', {}, { uid: UID, finalizers: ['kubevirt.io/foregroundDeleteVirtualMachine'] });

    const held = decideInstance(facts({ vmi: ended, attachments: [holder('Running')] }));
    const free = decideInstance(facts({ vmi: ended }));

    expect(JSON.stringify(held.write)).not.toContain('"finalizers":[]');
    expect(JSON.stringify(free.write)).toContain('"finalizers":[]');
  });
});

describe('the status of a volume that is plugged in', () => {
  it('names the pod that holds its claim, once that runs', () => {
    const before = volumeStatuses(facts({ attachments: [holder('Pending')] }));
    const after = volumeStatuses(facts({ attachments: [holder('Running')] }));

    expect(before).toEqual([expect.not.objectContaining({ hotplugVolume: expect.anything() })]);
    expect(after).toEqual([
      expect.objectContaining({ name: 'data', hotplugVolume: { attachPodName: POD, attachPodUID: 'pod-uid' } }),
    ]);
  });
});

describe('the status of a volume whose claim has changed', () => {
  it('is that of the claim which the guest still has', () => {
    expect(volumeStatuses(facts(swapped(NAMED)))).toEqual(NAMED.volumeStatus);
  });

  it('is that of the new one as soon as the guest has let go, and never names the pod of the old one', () => {
    expect(volumeStatuses(facts(swapped(LET_GO)))).toEqual([
      { name: 'data', target: '', persistentVolumeClaimInfo: { claimName: 'c2' }, hotplugVolume: {} },
    ]);
  });
});

it('a guest with a volume plugged in is not migrated', () => {
  const facts_ = { vmi: running(), sharedClaims: new Map([['data', true]]), hasHostModel: true };

  expect(judgeLiveMigratable(facts_).condition).toMatchObject({
    status: 'False',
    reason: 'HotplugNotLiveMigratable',
    message: expect.stringContaining('data'),
  });
});

it('pods of two instances, or two volumes, have names of their own', () => {
  const other = instance('Running', {}, { uid: 'ffffffff-0' });

  expect(
    new Set([attachmentName(running(), 'a'), attachmentName(running(), 'b'), attachmentName(other, 'a')]).size,
  ).toBe(3);
});

function running(
  status: Parameters<typeof instance>[1] = {},
  metadata: Parameters<typeof instance>[2] = {},
): InstanceFacts['vmi'] {
  return instance('Running', { nodeName: 'n1', ...status }, { uid: UID, ...metadata }, PLUGGED);
}

function unplugged(status: Parameters<typeof instance>[1]): InstanceFacts['vmi'] {
  return instance('Running', { nodeName: 'n1', ...status }, { uid: UID }, guest());
}

/** It wants the claim `c2` now, and there is still the pod of `c1`. */
function swapped(status: Parameters<typeof instance>[1]): Partial<InstanceFacts> {
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'c2', hotpluggable: true } }];
  return {
    vmi: instance('Running', { nodeName: 'n1', ...status }, { uid: UID }, guest({ volumes })),
    attachments: [holder('Running')],
    storage: { ...storage([]), claims: new Map([['data', { claimName: 'c2' }]]) },
  };
}

/** It was on the node of the pod once, and is on another one now. */
function moved(): InstanceFacts['vmi'] {
  return running({ ...NAMED, nodeName: 'n2' });
}

function holder(phase: string, metadata: Partial<ObservedPod['metadata']> = {}): ObservedPod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: POD,
      uid: 'pod-uid',
      labels: { 'kubevirt.io': 'hotplug-disk', 'smalt.dev/attached-volume': 'data' },
      ...metadata,
    },
    spec: {
      nodeName: 'n1',
      containers: [{ name: 'hotplug-disk' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'c1' } }],
    },
    status: { phase, containerStatuses: [{ name: 'hotplug-disk', ready: phase === 'Running' }] },
  };
}

function storage(names: readonly string[]): InstanceFacts['storage'] {
  return { dataVolumes: 'ready', missingClaims: [], claims: new Map(names.map((name) => [name, { claimName: 'c1' }])) };
}

function facts(change: Partial<InstanceFacts> = {}): InstanceFacts {
  return {
    vmi: running(),
    pods: [],
    storage: storage(['data']),
    hasOwner: true,
    hasActiveMigration: false,
    nodes: new Map([['n1', { kind: 'alive', lastHeartbeat: NOW, silentInMs: 1 }]]),
    fenceProofs: [],
    now: NOW,
    ...change,
  };
}
