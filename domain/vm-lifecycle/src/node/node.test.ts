import { describe, expect, it } from 'vitest';

import { at, node, NOW } from '../fixtures/objects.ts';
import { decideNode } from './decide-node.ts';
import { HeartbeatSightings } from './heartbeat-sightings.ts';
import { judgeHeartbeat } from './judge-heartbeat.ts';
import { nodeDevices, planNodeLabels, type NodeAbilities } from './plan-node-labels.ts';

const open = { 'kubevirt.io/schedulable': 'true' };
const HEARD = { heardAt: 0, now: 0 };

describe('judgeHeartbeat', () => {
  it.each([
    ['alive', 0],
    ['alive', -300],
    ['silent', -301],
    ['silent', undefined],
  ])('takes a node for %s whose heartbeat was first seen at %s s', (kind, seconds) => {
    const heardAt = seconds === undefined ? undefined : seconds * 1000;

    expect(judgeHeartbeat(node('n1', 0), { heardAt, now: 0 }).kind).toBe(kind);
  });

  it('takes a node for silent that does not exist, or whose heartbeat is no time', () => {
    const broken = { ...node('n1'), metadata: { name: 'n1', annotations: { 'kubevirt.io/heartbeat': 'soon' } } };

    expect([judgeHeartbeat(undefined, HEARD), judgeHeartbeat(broken, HEARD)]).toEqual([
      { kind: 'silent', lastHeartbeat: undefined },
      { kind: 'silent', lastHeartbeat: undefined },
    ]);
  });
});

describe('HeartbeatSightings', () => {
  it.each([
    ['right', 0],
    ['10 minutes behind', -600],
    ['10 minutes ahead', 600],
  ])('tell when a node falls silent whose clock is %s', (_, offSeconds) => {
    const sightings = new HeartbeatSightings();
    const look = (beatSeconds: number, now: number) => {
      const shown = node('n1', beatSeconds + offSeconds, open);
      return judgeHeartbeat(shown, { heardAt: sightings.note(shown, now)?.at, now }).kind;
    };

    // It beats every minute of four, then no more.
    const beating = [0, 60, 120, 180].map((second) => look(second, second * 1000));
    const after = [240, 480, 481].map((second) => look(180, second * 1000));

    expect([beating, after]).toEqual([
      ['alive', 'alive', 'alive', 'alive'],
      ['alive', 'alive', 'silent'],
    ]);
  });

  it('give a node all its time from when it is first seen, whatever its heartbeat says', () => {
    const sightings = new HeartbeatSightings();
    const old = node('n1', -86_400);

    expect([sightings.note(old, 7_000), sightings.note(old, 9_000)?.at]).toMatchObject([
      { at: 7_000, beforeAt: undefined },
      7_000,
    ]);
    expect(sightings.note(node('n1', -86_340), 10_000)).toMatchObject({ at: 10_000, beforeAt: 7_000 });
  });

  it('know nothing of a node without a heartbeat, nor of one that they were told to forget', () => {
    const sightings = new HeartbeatSightings();
    sightings.note(node('n1', 0), 1_000);

    expect(sightings.note(node('n1'), 2_000)).toBeUndefined();
    sightings.note(node('n1', 0), 3_000);
    sightings.forget('n1');
    expect(sightings.note(node('n1', 0), 4_000)).toMatchObject({ at: 4_000, beforeAt: undefined });
  });
});

it.each([
  ['silent', 'off since it was heard of', -1],
  ['alive', 'heard of since it was off', -3],
])('a node is %s when it was %s', (kind, _, fencedSeconds) => {
  const heard = node('n1', -2, open);
  const annotations = { ...heard.metadata.annotations, 'smalt.dev/fenced-at': at(fencedSeconds) };

  const decision = decideNode({ ...heard, metadata: { ...heard.metadata, annotations } }, HEARD);

  expect([decision.health.kind, decision.labels?.['kubevirt.io/schedulable']]).toEqual([
    kind,
    kind === 'silent' ? 'false' : undefined,
  ]);
});

describe('decideNode', () => {
  it('keeps new instances off a silent node, once', () => {
    const silent = { heardAt: -400_000, now: 0 };

    expect(decideNode(node('n1', 0, open), silent)).toMatchObject({
      labels: { 'kubevirt.io/schedulable': 'false' },
      event: { type: 'Warning', reason: 'NodeUnresponsive' },
      requeueAfterMs: 60_000,
    });
    expect(decideNode(node('n1', 0, { 'kubevirt.io/schedulable': 'false' }), silent)).not.toHaveProperty('event');
  });

  it('goes by the time that it is told', () => {
    const timeoutMs = 10_000;

    expect(decideNode(node('n1', 0, open), { heardAt: -20_000, now: 0, timeoutMs }).health.kind).toBe('silent');
    expect(decideNode(node('n1', 0, open), { heardAt: -5_000, now: 0, timeoutMs }).requeueAfterMs).toBe(5_001);
  });

  it('looks again when the heartbeat of a node would be overdue, and at least every minute', () => {
    expect(decideNode(node('n1', 0, open), { heardAt: -290_000, now: 0 }).requeueAfterMs).toBe(10_001);
    expect(decideNode(node('n1', 0, open), HEARD)).toEqual({
      health: { kind: 'alive', lastHeartbeat: NOW, silentInMs: 300_001 },
      requeueAfterMs: 60_000,
    });
  });
});

describe('planNodeLabels', () => {
  const abilities: NodeAbilities = {
    drivers: [
      { name: 'qemu-kvm', device: 'kvm', isUsable: false },
      { name: 'qemu', device: undefined, isUsable: true },
    ],
    cpuModels: ['Haswell'],
    cpuFeatures: ['vmx'],
    cpuVendor: 'Intel',
    machineTypes: ['q35'],
    hostModel: { name: 'Skylake', requiredFeatures: ['avx'], isObsolete: true },
    timer: { frequency: 2_000_000_000n, isScalable: false },
    traits: ['realtime', 'made-up'],
  };
  const wanted = {
    'hypervisor.node.kubevirt.io/qemu': 'true',
    'cpu-model.node.kubevirt.io/Haswell': 'true',
    'cpu-model-migration.node.kubevirt.io/Haswell': 'true',
    'cpu-model-migration.node.kubevirt.io/Skylake': 'true',
    'cpu-feature.node.kubevirt.io/vmx': 'true',
    'cpu-vendor.node.kubevirt.io/Intel': 'true',
    'machine-type.node.kubevirt.io/q35': 'true',
    'host-model-cpu.node.kubevirt.io/Skylake': 'true',
    'host-model-required-features.node.kubevirt.io/avx': 'true',
    'node-labeller.kubevirt.io/obsolete-host-model': 'true',
    'cpu-timer.node.kubevirt.io/tsc-frequency': '2000000000',
    'cpu-timer.node.kubevirt.io/tsc-scalable': 'false',
    'kubevirt.io/realtime': 'true',
  };

  it('tells what a node can run', () => {
    expect(planNodeLabels(node('n1', 0, { mine: 'x' }), abilities)).toEqual(wanted);
  });

  it('takes away what is not true any more, and touches nothing of others', () => {
    const stale = { 'cpu-model.node.kubevirt.io/Old': 'true', 'kubevirt.io/sev': 'true' };

    expect(planNodeLabels(node('n1', 0, { ...wanted, ...stale, ...open, mine: 'x' }), abilities)).toEqual({
      'cpu-model.node.kubevirt.io/Old': null,
      'kubevirt.io/sev': null,
    });
  });

  it('leaves a node alone that is to be skipped', () => {
    const skipped = {
      ...node('n1'),
      metadata: { name: 'n1', annotations: { 'node-labeller.kubevirt.io/skip-node': '' } },
    };

    expect(planNodeLabels(skipped, abilities)).toEqual({});
  });

  it('offers the devices of the drivers that work', () => {
    const usable = [{ name: 'qemu-kvm', device: 'kvm', isUsable: true }];

    expect(nodeDevices({ drivers: usable })).toEqual({
      'devices.kubevirt.io/kvm': '1000',
      'devices.kubevirt.io/tun': '1000',
      'devices.kubevirt.io/vhost-net': '1000',
    });
    expect(nodeDevices(abilities, 10)).toEqual({
      'devices.kubevirt.io/tun': '10',
      'devices.kubevirt.io/vhost-net': '10',
    });
  });
});
