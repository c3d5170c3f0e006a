import type { Hypervisor } from '@smalt/fleet-api';
import { virtualMachineKind, type VirtualMachine, type VirtualMachineInstanceMigration } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startCliBed, type CliBed } from '../output/fixtures/cli-bed.ts';
import { paintFor } from '../output/live-screen.ts';
import { doctorText } from './doctor-text.ts';
import type { FleetFacts, FleetNode } from './fleet-facts.ts';
import { judgeFleet } from './judge-fleet.ts';
import { judgeMachine } from './judge-machine.ts';
import type { MachineFacts } from './machine-facts.ts';
import { runDoctor, type DoctorFlags } from './run-doctor.ts';

const NOW = new Date('2026-01-02T03:04:05Z');
const FLAGS: DoctorFlags = { machine: false, fleet: true, output: 'json' };

describe('judgeMachine', () => {
  it('finds nothing wrong with a good machine', () => {
    expect(judgeMachine(GOOD, NOW).filter(({ level }) => level !== 'good')).toEqual([]);
  });

  it.each<[Partial<MachineFacts>, string, string, string]>([
    [{ isRoot: false }, 'user', 'warning', 'sudo'],
    [{ kvm: 'denied' }, 'kvm', 'problem', 'group kvm'],
    [{ kvm: 'missing' }, 'kvm', 'problem', 'modprobe'],
    [{ kvm: 'missing', hasVirtualization: false }, 'kvm', 'warning', 'firmware'],
    [{ cgroups: { version: 0, controllers: [] } }, 'cgroups', 'problem', 'mount -t cgroup2'],
    [{ cgroups: { version: 2, controllers: ['cpu'] } }, 'cgroups', 'warning', 'subtree_control'],
    [{ programs: { ...programsOf(), nft: undefined } }, 'programs', 'problem', 'apt-get install nftables'],
    [{ libvirt: { kind: 'silent', socket: '/s', why: 'refused' } }, 'libvirt', 'problem', 'smalt logs'],
    [{ libvirt: { kind: 'none' } }, 'libvirt', 'problem', 'smalt down'],
    [{ disk: { path: '/', freeBytes: 2 ** 30, totalBytes: 2 ** 40 } }, 'disk', 'problem', 'smalt image remove'],
    [{ memory: { availableBytes: 1, totalBytes: 2 } }, 'memory', 'warning', 'stop some'],
    [{ timekeeper: undefined }, 'time', 'warning', 'chrony'],
    [{ inotifyInstances: 128 }, 'file watches', 'warning', 'sysctl'],
    [{ smaltUp: { directory: '/d', pid: 7, isAnswering: false } }, 'smalt up', 'problem', 'smalt down'],
    [{ switchSocket: undefined }, 'Open vSwitch', 'warning', 'openvswitch-switch'],
    [{ certificates: [{ what: 'x', endsAt: new Date('2026-01-01') }] }, 'certificate of x', 'problem', 'renew'],
    [{ certificates: [{ what: 'x', endsAt: new Date('2026-01-05') }] }, 'certificate of x', 'warning', 'before that'],
  ])('%o: %s is a %s', (change, what, level, next) => {
    const [found] = judgeMachine({ ...GOOD, ...change }, NOW).filter((each) => each.level !== 'good');

    expect(found).toMatchObject({ what, level, next: expect.stringContaining(next) });
  });
});

describe('judgeFleet', () => {
  it('finds nothing wrong with a good fleet, in a line for each kind', () => {
    const verdicts = judgeFleet({ ...FLEET, nodes: [node('n1', {})], machines: [machine('a', 'Running')] }, NOW);

    expect(verdicts.map(({ level, what, found }) => `${level} ${what}: ${found}`)).toEqual([
      'good hosts: all 1 are well',
      'good machines: all 1 are well',
      'good migrations: none',
      'good high availability: no HA service is named here',
    ]);
  });

  it.each<[string, Partial<FleetFacts>, string]>([
    [
      'a host that is not ready',
      { nodes: [node('n1', { ready: 'False' })] },
      'host n1: is not ready: KubeletNotReady: no network',
    ],
    [
      'a handler that is silent',
      { nodes: [node('n1', { ageMs: 600_000 })] },
      'host n1: its virt-handler is silent for 10 m 0 s, or its clock is behind the one here',
    ],
    [
      'clocks that differ',
      { nodes: [node('n1', { ageMs: -60_000 })] },
      'host n1: its clock is 1 m 0 s ahead of the one here',
    ],
    [
      'a host that was given up',
      { hypervisors: [hypervisor('Aborted')] },
      'host n1: onboarding was given up: tests failed',
    ],
    [
      'a machine that cannot start',
      { machines: [machine('a', 'ErrorUnschedulable', 'no node has room')] },
      'machine default/a: cannot start: ErrorUnschedulable, no node has room',
    ],
    [
      'a migration that is stuck',
      { migrations: [migration('Running')] },
      'migration default/m: of a is Running for 1 h 0 m',
    ],
    [
      'a paused HA service',
      { highAvailability: { isPaused: true, isDryRun: false, blindSources: [], waiting: [] } },
      'high availability: is paused: no host is fenced, nothing is rebuilt',
    ],
    [
      'a blind HA service',
      { highAvailability: { isPaused: false, isDryRun: false, blindSources: ['agent'], waiting: [] } },
      'high availability: hears nothing from agent',
    ],
    [
      'an incident that waits',
      {
        highAvailability: {
          isPaused: false,
          isDryRun: false,
          blindSources: [],
          waiting: [{ id: 'i1', host: 'n1', message: 'no proof' }],
        },
      },
      'incident of n1: waits for a person: no proof',
    ],
    [
      'an HA service that is away',
      { highAvailability: { trouble: 'refused' } },
      'high availability: its service does not answer: refused',
    ],
  ])('finds %s, and says what to do', (_, facts, text) => {
    const bad = judgeFleet({ ...FLEET, ...facts }, NOW).filter(({ level }) => level === 'problem');

    expect(bad.map(({ what, found }) => `${what}: ${found}`)).toEqual([text]);
    expect(bad[0]?.next).toMatch(/\w/);
  });

  it('says what it was not let look at', () => {
    const verdicts = judgeFleet({ ...FLEET, hidden: [{ what: 'nodes', why: 'not you' }] }, NOW);

    expect(verdicts[0]).toMatchObject({ level: 'warning', found: 'cannot be looked at: not you' });
  });
});

it('prints a line for each finding, and below what to do', () => {
  const paint = paintFor({ output: { ...OUTPUT, isTerminal: false }, environment: {} });

  const text = doctorText(
    [
      { area: 'machine', level: 'good', what: 'kvm', found: 'can be opened' },
      { area: 'machine', level: 'problem', what: 'programs', found: 'missing: nft', next: 'apt-get install nftables' },
      { area: 'fleet', level: 'warning', what: 'time', found: 'a\u001B[2J', next: 'b' },
    ],
    paint,
  );

  expect(text).toBe(`This machine
  ✓ kvm       can be opened
  ✗ programs  missing: nft
              → apt-get install nftables

The fleet
  ! time  a\\u{1b}[2J
          → b

1 to mend, 1 to know of.
`);
});

describe('smalt doctor', () => {
  let bed: CliBed;

  beforeAll(async () => {
    bed = await startCliBed();
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it('ends with 0 for a fleet that is well', async () => {
    const program = bed.program();

    await runDoctor(program, FLAGS);

    expect(program.exitCode()).toBe(0);
    expect(program.printed()).toContain('"found": "all 1 are well"');
  });

  it('looks at this machine without changing it', async () => {
    const program = bed.program();

    await runDoctor(program, { ...FLAGS, machine: true, fleet: false });

    const found = JSON.parse(program.printed());
    expect(found).toContainEqual(expect.objectContaining({ area: 'machine', what: 'certificate of the API server' }));
    expect(found).toContainEqual(expect.objectContaining({ what: 'disk', found: expect.stringContaining('free of') }));
  });

  it('ends with 1 when something is wrong', async () => {
    await bed.machine('broken');
    const status = { printableStatus: 'ErrorPvcNotFound' };
    await bed.admin
      .resource(virtualMachineKind)
      .patch('broken', 'merge', { status }, { namespace: 'default', subresource: 'status' });
    const program = bed.program();

    await runDoctor(program, { ...FLAGS, output: 'table' });

    expect(program.exitCode()).toBe(1);
    expect(program.printed()).toContain('✗ machine default/broken  cannot start: ErrorPvcNotFound');
  });

  it('says that a cluster does not answer', async () => {
    const program = bed.program();

    await runDoctor(program, { ...FLAGS, kubeconfig: '/none' });

    expect(program.exitCode()).toBe(1);
    expect(program.printed()).toContain('/none cannot be read');
  });
});

const OUTPUT = { isTerminal: true, size: { columns: 100, rows: 30 }, write: () => Promise.resolve() };
const FLEET: FleetFacts = {
  nodes: undefined,
  hypervisors: undefined,
  evictions: undefined,
  machines: undefined,
  instances: undefined,
  migrations: [],
  highAvailability: undefined,
  hidden: [],
};
const GOOD: MachineFacts = {
  isRoot: true,
  kvm: 'usable',
  hasVirtualization: true,
  cgroups: { version: 2, controllers: ['cpu', 'memory', 'pids'] },
  programs: programsOf(),
  libvirt: { kind: 'answers', socket: '/s', version: '9.0.0' },
  disk: { path: '/', freeBytes: 2 ** 38, totalBytes: 2 ** 40 },
  memory: { availableBytes: 2 ** 34, totalBytes: 2 ** 35 },
  timekeeper: 'chrony',
  inotifyInstances: 8_192,
  smaltUp: { directory: '/d', pid: 7, isAnswering: true },
  switchSocket: '/run/openvswitch/db.sock',
  certificates: [{ what: 'the kubeconfig', endsAt: new Date('2030-01-01') }],
};

function programsOf(): Record<string, string | undefined> {
  const names = ['libvirtd', 'qemu-system-x86_64', 'dnsmasq', 'nft', 'ip', 'ovs-vsctl'];
  return Object.fromEntries(names.map((name) => [name, `/usr/bin/${name}`]));
}

function node(name: string, { ready = 'True', ageMs = 1_000 }: { ready?: string; ageMs?: number }): FleetNode {
  const heartbeat = new Date(NOW.getTime() - ageMs).toISOString();
  const annotations = { 'smalt.dev/virt-handler-url': 'https://x', 'kubevirt.io/heartbeat': heartbeat };
  const condition = { type: 'Ready', status: ready, reason: 'KubeletNotReady', message: 'no network' };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, annotations }, status: { conditions: [condition] } };
}

function hypervisor(lifecycleState: NonNullable<Hypervisor['status']>['lifecycleState']): Hypervisor {
  const lastTransitionTime = NOW.toISOString();
  const ready = {
    type: 'Ready',
    status: 'False' as const,
    reason: 'Onboarding',
    message: 'tests failed',
    lastTransitionTime,
  };
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Hypervisor',
    metadata: { name: 'n1' },
    status: { conditions: [ready], numInstances: 0, ...(lifecycleState && { lifecycleState }) },
  };
}

function machine(name: string, printableStatus: string, message?: string): VirtualMachine {
  const failure = { type: 'Failure', status: 'True', ...(message === undefined ? {} : { message }) };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default' },
    spec: { template: { spec: { domain: { devices: {} } } } },
    status: { printableStatus, conditions: message === undefined ? [] : [failure] },
  };
}

function migration(phase: string): VirtualMachineInstanceMigration {
  const phaseTransitionTimestamp = new Date(NOW.getTime() - 3_600_000).toISOString();
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name: 'm', namespace: 'default' },
    spec: { vmiName: 'a' },
    status: { phase, phaseTransitionTimestamps: [{ phase, phaseTransitionTimestamp }] },
  };
}
