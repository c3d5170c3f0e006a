import { installDefinitions } from '@smalt/bed-kubernetes';
import { hypervisorKind, readFleetDefinitions } from '@smalt/fleet-api';
import type { VirtualMachineInstanceMigrationStatus } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createVmCompute } from './create-vm-compute.ts';
import { byIds, NOW, startComputeBed, type ComputeBed } from './fixtures/compute-bed.ts';

const signal = AbortSignal.timeout(120_000);
const MINUTE = 60_000;
let bed: ComputeBed;

beforeAll(async () => {
  bed = await startComputeBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('hosts', () => {
  it('are found by a name that stands for theirs, which is not exact', async () => {
    await bed.host('found.example.org');

    expect(await bed.compute.hosts.find('found.example.org', signal)).toMatchObject({ isExact: true });
    expect(await bed.compute.hosts.find('found', signal)).toMatchObject({ name: 'found.example.org', isExact: false });
    expect(await bed.compute.hosts.find('foun', signal)).toBeUndefined();
  });

  it('are not those that are named alike, where a node of that very name is no host yet', async () => {
    await bed.host('young.example.org');
    await bed.api.nodes.create({ metadata: { name: 'young' } });

    expect(await bed.compute.hosts.find('young', signal)).toBeUndefined();
  });

  it('that were registered anew under the same name are others', async () => {
    const first = await bed.host('again');
    await bed.api.nodes.delete('again');
    await bed.host('again');

    expect(await bed.compute.hosts.get(first, signal)).toBeUndefined();
    await expect(bed.compute.hosts.disable(first, 'x', signal)).rejects.toMatchObject({ code: 'not-found' });
    expect(await bed.found('again')).toMatchObject({ isEnabled: true });
  });

  it('take no instances while they are disabled, and say why', async () => {
    const host = await bed.host('maintained');

    await bed.compute.hosts.disable(host, 'new\nkernel', signal);
    const disabled = await bed.compute.hosts.get(host, signal);
    await bed.compute.hosts.enable(host, signal);

    expect(disabled).toMatchObject({ isEnabled: false, disabledReason: 'new kernel' });
    expect(await bed.compute.hosts.get(host, signal)).toEqual(host);
  });

  it('that are declared dead keep the time of it until they are heard of again', async () => {
    const host = byIds(await bed.host('dead', NOW - MINUTE));
    const timeOf = async (): Promise<string | undefined> =>
      (await bed.api.nodes.get('dead')).metadata.annotations?.['smalt.dev/fenced-at'];
    bed.now = NOW;

    await bed.compute.hosts.forceDown(host, signal);
    const first = await timeOf();
    bed.now = NOW + MINUTE;
    await bed.compute.hosts.forceDown(host, signal);
    const second = await timeOf();
    const declared = await bed.compute.hosts.get(host, signal);
    await bed.heartbeat('dead', NOW + 2 * MINUTE);
    bed.now = NOW + 3 * MINUTE;
    await bed.compute.hosts.forceDown(host, signal);
    const third = await timeOf();
    await bed.compute.hosts.clearForcedDown(host, signal);
    bed.now = NOW;

    expect([first, second, third].map((time) => Date.parse(time ?? '') - NOW)).toEqual([0, 0, 3 * MINUTE]);
    expect(declared).toMatchObject({ isForcedDown: true, isUp: false });
    expect(await bed.compute.hosts.get(host, signal)).toMatchObject({ isForcedDown: false });
  });

  it('are deregistered only when nothing is there or on its way there', async () => {
    const host = await bed.host('leaving');
    await bed.host('elsewhere');
    const migrationState = { sourceNode: 'elsewhere', targetNode: 'leaving' };
    await bed.instance('comer', 'elsewhere', { migrationState });

    const blocked = await bed.compute.hosts.deregister(host, signal);
    await bed.tell('comer', { migrationState: { ...migrationState, completed: true, failed: true } });
    const done = await bed.compute.hosts.deregister(host, signal);

    expect(blocked).toMatchObject({
      kind: 'blocked',
      message: expect.stringContaining('1 instances, such as shop/comer'),
    });
    expect(done).toEqual({ kind: 'done' });
    expect(await bed.compute.hosts.find('leaving', signal)).toBeUndefined();
    expect(await bed.compute.hosts.deregister(host, signal)).toEqual({ kind: 'done' });
  });
});

describe('instances', () => {
  it('are those on the host that have not come to their end', async () => {
    const host = await bed.host('i-host');
    await bed.instance('i-runs', 'i-host');
    await bed.instance('i-over', 'i-host', { phase: 'Succeeded' });

    const listed = await bed.compute.instances.list(host, signal);

    expect(listed).toMatchObject([
      {
        id: 'shop/i-runs',
        state: 'running',
        guestState: 'running',
        hostName: 'i-host',
        memoryMiB: 64,
        resources: { VCPU: 2, MEMORY_MB: 64 },
      },
    ]);
  });

  it('have the id of their machine, by which agents on hosts know them, and never that of two', async () => {
    const host = await bed.host('u-host');
    const uuid = '8b1c9a3e-0000-4000-8000-000000000001';
    const firmware = { spec: { domain: { firmware: { uuid } } } };
    await bed.instance('u-one', 'u-host');
    await bed.api.instances.patch('u-one', 'merge', firmware, { namespace: 'shop' });
    const [listed] = await bed.compute.instances.list(host, signal);
    const got = await bed.compute.instances.get(uuid, signal);

    await bed.instance('u-two', 'u-host');
    await bed.api.instances.patch('u-two', 'merge', firmware, { namespace: 'shop' });
    await bed.removeInstance('u-one');
    const gone = await bed.compute.instances.get(uuid, signal);
    const next = await bed.compute.instances.get(uuid, signal);
    await bed.instance('u-three', 'u-host');
    await bed.api.instances.patch('u-three', 'merge', firmware, { namespace: 'shop' });
    await bed.removeInstance('u-two');
    await bed.compute.instances.get(uuid, signal);
    await bed.instance('u-four', 'u-host');
    await bed.api.instances.patch('u-four', 'merge', firmware, { namespace: 'shop' });

    expect(listed?.id).toBe(uuid);
    expect(got).toMatchObject({ id: uuid, name: 'u-one' });
    expect([gone, next?.name]).toEqual([undefined, 'u-two']);
    await expect(bed.compute.instances.get(uuid, signal)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining('shop/u-four, shop/u-three'),
    });
    expect(await bed.compute.instances.get('8b1c9a3e-0000-4000-8000-000000000002', signal)).toBeUndefined();
    expect(await bed.compute.instances.get('shop/none', signal)).toBeUndefined();
  });

  it('that are off are machines without a host', async () => {
    await bed.machine({ name: 'off', runStrategy: 'Halted' });

    expect(await bed.compute.instances.get('shop/off', signal)).toMatchObject({
      state: 'stopped',
      isMeantToRun: false,
      hostName: undefined,
    });
  });

  it('without a machine can neither be restarted nor stopped', async () => {
    await bed.host('b-host');
    await bed.instance('bare', 'b-host');

    await expect(bed.compute.instances.restart('shop/bare', signal)).rejects.toMatchObject({ code: 'refused' });
    await expect(bed.compute.instances.stop('shop/none', signal)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('have the hosts for targets that the scheduler would let them on', async () => {
    const zone = { 'topology.kubernetes.io/zone': 't' };
    bed.now = NOW - 10 * MINUTE;
    await bed.host('t-silent', NOW, zone);
    bed.now = NOW;
    await bed.host('t-home', NOW, zone);
    await bed.host('t-free', NOW, zone);
    await bed.host('t-elsewhere', NOW);
    const disabled = await bed.host('t-disabled', NOW, zone);
    await bed.compute.hosts.disable(disabled, 'x', signal);
    const vmi = await bed.instance('t-vm', 't-home');
    await launcher(vmi.metadata.uid ?? '', 't-home', '256Mi');
    const instance = await bed.compute.instances.get('shop/t-vm', signal);

    const targets = instance && (await bed.compute.instances.targets(instance, signal));
    await launcher('other', 't-free', '900Mi');
    const full = instance && (await bed.compute.instances.targets(instance, signal));

    expect(targets).toMatchObject([{ name: 't-free', free: { VCPU: 8, MEMORY_MB: 1024 } }]);
    expect(full).toEqual([]);
  });
});

describe('moves', () => {
  it('are migrations, which are told by their objects', async () => {
    const host = await bed.host('m-host');
    await bed.instance('m-vm', 'm-host');
    const since = new Date(Date.now() - MINUTE);

    await bed.compute.moves.startLive('shop/m-vm', signal);
    const [queued] = await bed.compute.moves.list(host, since, signal);
    const name = queued?.id.split('/')[1] ?? '';
    const migrationState = { sourceNode: 'm-host', targetNode: 'm-next' };
    await tellMigration(name, { phase: 'Running', migrationState });
    const [running] = await bed.compute.moves.list(host, since, signal);
    await tellMigration(name, { phase: 'Succeeded' });
    const [succeeded] = await bed.compute.moves.list(host, since, signal);
    const later = await bed.compute.moves.list(host, new Date(Date.now() + MINUTE), signal);

    const same = { instanceId: 'shop/m-vm', isLive: true, sourceName: 'm-host' };
    expect(queued).toMatchObject({ ...same, state: 'queued', targetName: undefined });
    expect(running).toMatchObject({ ...same, state: 'running', targetName: 'm-next' });
    expect(succeeded).toMatchObject({ ...same, state: 'succeeded' });
    expect(later).toEqual([]);
  });

  it('are given up by deleting them, and one that is gone is no failure', async () => {
    const host = await bed.host('a-host');
    await bed.instance('a-vm', 'a-host');
    await bed.compute.moves.startLive('shop/a-vm', signal);
    const [move] = await bed.compute.moves.list(host, new Date(0), signal);
    if (move === undefined) throw new Error('no move');

    await bed.compute.moves.abort(move, signal);
    await bed.compute.moves.abort(move, signal);

    expect(await bed.compute.moves.list(host, new Date(0), signal)).toEqual([]);
  });

  it('that are restarts are noted, and have failed when nobody can be asked', async () => {
    const host = await bed.host('c-host');
    await bed.machine({ name: 'c-vm' });
    await bed.instance('c-vm', 'c-host');

    await expect(bed.compute.moves.startCold('shop/c-vm', signal)).rejects.toMatchObject({ code: 'not-found' });

    expect(await bed.compute.moves.list(host, new Date(0), signal)).toMatchObject([
      { instanceId: 'shop/c-vm', isLive: false, state: 'failed', sourceName: 'c-host' },
    ]);
  });
});

describe('aggregates and traits', () => {
  it('are labels of the node', async () => {
    const host = await bed.host('g-host', NOW, { 'topology.kubernetes.io/zone': 'g-zone' });
    const before = await bed.compute.aggregates.membership(host, signal);
    const named = (name: string) => before.known.find((each) => each.name === name);
    const [test, zone] = [named('tenant_filter_tests'), named('g-zone')];
    if (test === undefined || zone === undefined) throw new Error('not known');

    await bed.compute.aggregates.join(host, test, signal);
    await bed.compute.aggregates.join(host, zone, signal);
    await bed.compute.aggregates.leave(host, test, signal);
    await bed.compute.aggregates.leave(host, test, signal);
    const after = await bed.compute.aggregates.membership(host, signal);

    expect([...before.joined]).toEqual([]);
    expect([...after.joined]).toEqual(['g-zone']);
    expect((await bed.api.nodes.get('g-host')).metadata.labels).toMatchObject({ 'aggregate.smalt.dev/g-zone': 'true' });
  });

  it('are not listed anew for each host, and yet a host knows at once what it asks for', async () => {
    const host = await bed.host('g-asks', NOW, { 'topology.kubernetes.io/zone': 'g-late-zone' });
    await bed.compute.aggregates.membership(host, signal);
    await installDefinitions(bed.api.client, await readFleetDefinitions(), signal);

    await bed.api.client.resource(hypervisorKind).apply('g-asks', { spec: { aggregates: ['g-wanted'] } });
    const { known } = await bed.compute.aggregates.membership(host, signal);

    expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(['g-late-zone', 'g-wanted']));
    expect(known.find(({ name }) => name === 'g-late-zone')?.metadata).toEqual({ availability_zone: 'g-late-zone' });
  });

  it('with a name that no label can have are refused', async () => {
    const host = await bed.host('g-odd');
    const odd = { id: 'x', uuid: 'x', name: 'a/b c', metadata: undefined };

    await expect(bed.compute.aggregates.join(host, odd, signal)).rejects.toMatchObject({ code: 'refused' });
  });

  it('are replaced as a whole, unless somebody else was quicker', async () => {
    const host = await bed.host('g-traits');
    const first = await bed.compute.traits.get(host, signal);

    const second = await bed.compute.traits.set(host, { ...first, traits: ['CUSTOM_B', 'CUSTOM_A'] }, signal);
    await bed.heartbeat('g-traits', NOW + 1);
    const third = await bed.compute.traits.set(host, { ...second, traits: ['CUSTOM_A'] }, signal);

    expect([first.traits, second.traits, third.traits]).toEqual([[], ['CUSTOM_A', 'CUSTOM_B'], ['CUSTOM_A']]);
    const late = bed.compute.traits.set(host, { ...second, traits: [] }, signal);
    await expect(late).rejects.toMatchObject({ code: 'stale' });
    const former = bed.compute.traits.get({ ...host, hypervisorId: 'former' }, signal);
    await expect(former).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('test instances', () => {
  it('go to their host though it takes no others, and are told by the prefix of their names', async () => {
    const host = await bed.host('s-host');
    await bed.compute.hosts.disable(host, 'new', signal);

    await bed.compute.smokeTests.start({ name: 'probe-1', host, zone: 'a' }, signal);
    const listed = await bed.compute.smokeTests.list('probe-', signal);
    const made = await bed.api.instances.get('probe-1', { namespace: 'smalt-smoke-tests' });
    await bed.compute.smokeTests.delete('smalt-smoke-tests/probe-1', signal);
    await bed.compute.smokeTests.delete('smalt-smoke-tests/probe-1', signal);

    expect(listed).toMatchObject([{ id: 'smalt-smoke-tests/probe-1', name: 'probe-1', state: 'building' }]);
    expect(made.spec).toMatchObject({
      hostname: 'probe-1',
      nodeSelector: { 'kubernetes.io/hostname': 's-host' },
      tolerations: [{ key: 'node.kubernetes.io/unschedulable' }],
    });
    expect(await bed.compute.smokeTests.list('probe-', signal)).toEqual([]);
  });

  it('have a console of which the last lines are read', async () => {
    const paths: string[] = [];
    const compute = createVmCompute({
      client: bed.api.client,
      readConsole: async ({ url }, { instance, forMs }) => {
        paths.push(`${url.pathname} ${instance} ${forMs}`);
        return 'one\ntwo\nthree';
      },
    });

    expect(await compute.smokeTests.console('shop/probe', 2, signal)).toBe('two\nthree');
    const place = '/apis/subresources.kubevirt.io/v1/namespaces/shop/virtualmachineinstances/probe/console';
    expect(paths).toEqual([`${place} shop/probe 3000`]);
    await expect(bed.compute.smokeTests.console('shop/probe', 5, signal)).rejects.toMatchObject({ code: 'refused' });
  });
});

async function tellMigration(name: string, status: VirtualMachineInstanceMigrationStatus): Promise<void> {
  await bed.api.migrations.patch(name, 'merge', { status }, { namespace: 'shop', subresource: 'status' });
}

async function launcher(uid: string, nodeName: string, memory: string): Promise<void> {
  const nodeSelector = { 'topology.kubernetes.io/zone': 't' };
  const containers = [{ name: 'compute', image: 'x', resources: { requests: { memory, cpu: '1' } } }];
  await bed.api.pods.create({
    metadata: { name: `launcher-${nodeName}`, namespace: 'shop', labels: { 'kubevirt.io/created-by': uid } },
    spec: { nodeName, nodeSelector, containers },
  });
}
