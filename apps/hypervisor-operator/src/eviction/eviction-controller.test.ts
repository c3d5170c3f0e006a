import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import {
  conditionOf,
  fresh,
  startEvictionBed,
  stateDisabled,
  stateIds,
  stateOf,
  type EvictionBed,
} from './fixtures/eviction-bed.ts';

let world: EvictionBed;

beforeAll(async () => {
  world = await startEvictionBed();
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('an eviction', { timeout: 30_000 }, () => {
  it('of an empty host succeeds, in the words that existing tools know', async () => {
    await world.host('empty');
    await world.evict('empty');

    const eviction = await world.until('empty', (each) => stateOf(each) === 'False/Succeeded');

    expect(conditionOf(eviction)?.message).toBe('eviction completed successfully');
    expect(conditionOf(eviction, 'PreflightChecksSucceeded')).toMatchObject({
      status: 'True',
      reason: 'Succeeded',
      message: 'Preflight checks passed, hypervisor is disabled and ready for eviction',
    });
    expect(eviction.status).toMatchObject({
      hypervisorServiceId: world.bed.cloud.host('empty')?.hypervisorId,
      outstandingRamMb: 0,
      progress: { total: 0, moved: 0, moving: 0, left: 0, failed: 0 },
    });
  });

  it('moves servers that run and servers that are stopped, and confirms the latter', async () => {
    const ids = await world.host('mixed', ['a', { name: 'b', status: 'SHUTOFF' }, { name: 'c', status: 'PAUSED' }]);
    await world.evict('mixed');

    const running = await world.until('mixed', (each) => stateOf(each, 'MigratingInstance') === 'True/Running');
    const eviction = await world.until('mixed', (each) => stateOf(each) === 'False/Succeeded');

    expect(running.status?.outstandingRamMb).toBe(1536);
    expect(running.metadata.finalizers).toEqual(['kvm.cloud.sap/eviction']);
    expect(eviction.status).toMatchObject({ outstandingRamMb: 0, progress: { total: 3, moved: 3, left: 0 } });
    expect(eviction.status?.instances).toEqual([]);
    expect(ids.map((id) => world.bed.cloud.server(id)?.status)).toEqual(['ACTIVE', 'SHUTOFF', 'PAUSED']);
    expect(world.bed.cloud.serversOn('mixed')).toEqual([]);
    expect(ids.map((id) => world.asked(id))).toEqual([1, 1, 1]);
    expect(stateOf(eviction, 'MigratingInstance')).toBe('False/Succeeded');
  });

  it('leaves a server in ERROR where it is, moves the others once, and never calls that a success', async () => {
    const [good1 = '', error1 = '', good2 = ''] = await world.host('faulty', [
      'good-1',
      { name: 'error-1', status: 'ERROR', fault: 'out of luck' },
      'good-2',
    ]);
    await world.evict('faulty');

    const eviction = await world.until('faulty', (each) => stateOf(each) === 'False/Failed');

    expect([good1, error1, good2].map((id) => world.asked(id))).toEqual([1, 0, 1]);
    expect(eviction.status?.outstandingInstances).toEqual([error1]);
    expect(conditionOf(eviction)?.message).toContain(`${error1} (error-1): out of luck`);
    expect(conditionOf(eviction, 'MigratingInstance')).toMatchObject({
      status: 'False',
      reason: 'Failed',
      message: `Migration of instance ${error1} failed: out of luck`,
    });
  });

  it('waits until the host is disabled, in the cluster and in the cloud', async () => {
    const [id = ''] = await world.host('enabled', ['a'], { status: 'enabled' });
    await stateDisabled(world.bed, 'enabled', 'False');
    await world.evict('enabled');

    const eviction = await world.until('enabled', (each) => stateOf(each, 'PreflightChecksSucceeded') !== 'none');
    await stateDisabled(world.bed, 'enabled', 'True');
    const looked = world.bed.cloud.countOf('compute GET /os-services');
    await expect.poll(() => world.bed.cloud.countOf('compute GET /os-services')).toBeGreaterThan(looked + 2);
    const askedBefore = world.asked(id);
    world.bed.cloud.changeHost('enabled', { status: 'disabled' });
    await world.until('enabled', (each) => stateOf(each) === 'False/Succeeded');

    expect(stateOf(eviction)).toBe('True/Running');
    expect(conditionOf(eviction, 'PreflightChecksSucceeded')?.message).toBe('hypervisor not disabled');
    expect(askedBefore).toBe(0);
    expect(world.asked(id)).toBe(1);
  });

  it('of a host that the cloud has lost fails, and says so', async () => {
    const name = fresh('lost');
    await world.bed.hypervisors.apply(name, { spec: { maintenance: 'auto' } }, { fieldManager: 'test' });
    await stateIds(world.bed, name, { hypervisorId: '5b6e7a1c-0000-4000-8000-000000000000', serviceId: 'gone' });
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Failed');

    expect(conditionOf(eviction)?.message).toMatch(/^failed to get hypervisor .*got 404/);
  });

  it('of a host that was registered anew is no success, and goes on when its new ids are known', async () => {
    const name = fresh('anew');
    await world.host(name);
    await world.evict(name);
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    world.bed.cloud.removeHost(name);
    const host = world.bed.cloud.addHost({ name, status: 'disabled' });
    const id = world.bed.cloud.addServer(name, { name: 'newcomer' });
    const failed = await world.until(name, (each) => stateOf(each) === 'False/Failed');
    const askedBefore = world.asked(id);
    await stateIds(world.bed, name, host);
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded' && each.status?.progress?.moved === 1);

    expect(conditionOf(failed)?.message).toContain(
      `host ${name} is registered anew as hypervisor ${host.hypervisorId}`,
    );
    expect([askedBefore, world.asked(id)]).toEqual([0, 1]);
  });

  it('of a host that was never registered touches no other whose name is longer', async () => {
    const name = fresh('prefix');
    const [id = ''] = await world.host(`${name}.dc2`, ['a'], { serviceHost: `${name}.dc2` });
    await world.bed.hypervisors.apply(name, { spec: { maintenance: 'auto' } }, { fieldManager: 'test' });
    await stateDisabled(world.bed, name, 'True');
    await world.evict(name);

    await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(world.asked(id)).toBe(0);
    expect(world.bed.cloud.server(id)?.host).toBe(`${name}.dc2`);
  });

  it.each([
    ['is down', { isUp: false }, { isUp: true }],
    ['was declared down', { isForcedDown: true }, { isForcedDown: false }],
  ])('of a host whose compute service %s waits until it is back', async (_what, down, up) => {
    const name = fresh('down');
    const [id = ''] = await world.host(name, ['a'], down);
    await world.evict(name);

    const held = await world.until(name, (each) => stateOf(each, 'PreflightChecksSucceeded') === 'False/Failed');
    const askedBefore = world.asked(id);
    world.bed.cloud.changeHost(name, up);
    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(stateOf(held)).toBe('True/Running');
    expect(conditionOf(held, 'PreflightChecksSucceeded')?.message).toContain(`the compute service of ${name} is down`);
    expect([askedBefore, world.asked(id)]).toEqual([0, 1]);
    expect(eviction.status?.progress).toMatchObject({ moved: 1, failed: 0 });
  });

  it('leaves a shelved server alone, which nobody can move, and says what to do', async () => {
    const name = fresh('shelved');
    const [id = '', other = ''] = await world.host(name, [{ name: 'a', status: 'SHELVED' }, 'b']);
    await world.evict(name);

    const eviction = await world.until(name, (each) => each.status?.progress?.moved === 1);

    expect(eviction.status?.instances).toMatchObject([{ id, state: 'Waiting', attempts: 0 }]);
    expect(eviction.status?.instances?.[0]?.message).toContain('shelve --offload');
    expect([world.asked(id), world.asked(other)]).toEqual([0, 1]);
  });

  it('of a host that was never registered succeeds, because there is nothing to move', async () => {
    await world.bed.hypervisors.apply('unborn', { spec: {} }, { fieldManager: 'test' });
    await world.evict('unborn');

    const eviction = await world.until('unborn', (each) => stateOf(each) === 'False/Succeeded');

    expect(conditionOf(eviction)?.message).toBe(
      'eviction completed successfully due to expected case of no hypervisor',
    );
  });

  it('of an unknown hypervisor says so, and goes on when there is one', async () => {
    await world.evict('nobody');

    const eviction = await world.until('nobody', (each) => stateOf(each) === 'False/Failed');
    const [id = ''] = await world.host('nobody', ['a']);
    await world.until('nobody', (each) => stateOf(each) === 'False/Succeeded' && each.status?.progress?.moved === 1);

    expect(conditionOf(eviction)?.message).toContain('there is no hypervisor "nobody", which spec.hypervisor names');
    expect(world.asked(id)).toBe(1);
  });

  it('without a spec says which field is missing', async () => {
    await world.bed.evictions.create({ metadata: { name: 'blank' } });

    const eviction = await world.until('blank', (each) => stateOf(each) === 'False/Failed');

    expect(conditionOf(eviction)?.message).toContain('spec.hypervisor is missing');
  });

  it('goes on with those that come after it was done', async () => {
    const [first = ''] = await world.host('late', ['a']);
    await world.evict('late');
    await world.until('late', (each) => stateOf(each) === 'False/Succeeded');

    const second = world.bed.cloud.addServer('late', { name: 'b' });
    const eviction = await world.until('late', (each) => each.status?.progress?.moved === 2);

    expect(eviction.status?.progress?.total).toBe(2);
    expect([first, second].map((id) => world.asked(id))).toEqual([1, 1]);
  });

  it('of which there are two for one host is done once, and both tell of it', async () => {
    const ids = await world.host('twice', ['a', 'b', 'c', 'd']);
    await world.evict('twice');
    await world.evict('twice', 'twice-again');

    await world.until('twice', (each) => stateOf(each) === 'False/Succeeded');
    const other = await world.until('twice-again', (each) => stateOf(each) === 'False/Succeeded');

    expect(other.status?.progress?.moved).toBe(4);
    expect(ids.map((id) => world.asked(id))).toEqual([1, 1, 1, 1]);
  });

  it('tells each move as an event and counts it', async () => {
    const before = world.bed.metric('smalt_eviction_moves_ended_total{result="succeeded"}');
    const [id = ''] = await world.host('told', ['a']);
    await world.evict('told');
    await world.until('told', (each) => stateOf(each) === 'False/Succeeded');

    const events = () => world.bed.kubectl('get', 'events', '--field-selector=involvedObject.name=told');

    const told = `InstanceMoved +eviction/told +Migration of instance ${id} finished: it is on target`;
    await expect.poll(events, { timeout: 5_000 }).toMatch(new RegExp(told));
    expect(world.bed.metric('smalt_eviction_moves_ended_total{result="succeeded"}')).toBeGreaterThan(before);
  });
});
