import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { freshName } from '../fixtures/fresh-name.ts';
import { twinMessage } from '../hosts/host-claims.ts';
import {
  conditionOf,
  startEvictionBed,
  stateDisabled,
  stateIds,
  stateOf,
  type EvictionBed,
} from './fixtures/eviction-bed.ts';

let world: EvictionBed;

beforeAll(async () => {
  world = await startEvictionBed();
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

describe('an eviction', { timeout: 30_000 }, () => {
  it('of an empty host succeeds, in the words that existing tools know', async () => {
    const name = freshName('empty');
    await world.host(name);
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(conditionOf(eviction)?.message).toBe('eviction completed successfully');
    expect(conditionOf(eviction, 'PreflightChecksSucceeded')).toMatchObject({
      status: 'True',
      reason: 'Succeeded',
      message: 'Preflight checks passed, hypervisor is disabled and ready for eviction',
    });
    expect(eviction.status).toMatchObject({
      hypervisorServiceId: world.bed.cloud.host(name)?.hypervisorId,
      outstandingRamMb: 0,
      progress: { total: 0, moved: 0, moving: 0, left: 0, failed: 0 },
    });
  });

  it('moves servers that run and servers that are stopped, and confirms the latter', async () => {
    const name = freshName('mixed');
    const ids = await world.host(name, ['a', { name: 'b', status: 'SHUTOFF' }, { name: 'c', status: 'PAUSED' }]);
    await world.evict(name);

    const running = await world.until(name, (each) => stateOf(each, 'MigratingInstance') === 'True/Running');
    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(running.status?.outstandingRamMb).toBe(1536);
    expect(running.metadata.finalizers).toEqual(['kvm.cloud.sap/eviction']);
    expect(eviction.status).toMatchObject({ outstandingRamMb: 0, progress: { total: 3, moved: 3, left: 0 } });
    expect(eviction.status?.instances).toEqual([]);
    expect(ids.map((id) => world.bed.cloud.server(id)?.status)).toEqual(['ACTIVE', 'SHUTOFF', 'PAUSED']);
    expect(world.bed.cloud.serversOn(name)).toEqual([]);
    expect(ids.map((id) => world.asked(id))).toEqual([1, 1, 1]);
    expect(stateOf(eviction, 'MigratingInstance')).toBe('False/Succeeded');
  });

  it('leaves a server in ERROR where it is, moves the others once, and never calls that a success', async () => {
    const name = freshName('faulty');
    const [good1 = '', error1 = '', good2 = ''] = await world.host(name, [
      'good-1',
      { name: 'error-1', status: 'ERROR', fault: 'out of luck' },
      'good-2',
    ]);
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Failed');

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
    const name = freshName('enabled');
    const [id = ''] = await world.host(name, ['a'], { status: 'enabled' });
    await stateDisabled(world.bed, name, 'False');
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each, 'PreflightChecksSucceeded') !== 'none');
    await stateDisabled(world.bed, name, 'True');
    const looked = world.bed.cloud.countOf('compute GET /os-services');
    await expect.poll(() => world.bed.cloud.countOf('compute GET /os-services')).toBeGreaterThan(looked + 2);
    const askedBefore = world.asked(id);
    world.bed.cloud.changeHost(name, { status: 'disabled' });
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(stateOf(eviction)).toBe('True/Running');
    expect(conditionOf(eviction, 'PreflightChecksSucceeded')?.message).toBe('hypervisor not disabled');
    expect(askedBefore).toBe(0);
    expect(world.asked(id)).toBe(1);
  });

  it('of a host that the cloud has lost fails, and says so', async () => {
    const name = freshName('lost');
    await world.bed.hypervisors.apply(name, { spec: { maintenance: 'auto' } }, { fieldManager: 'test' });
    await stateIds(world.bed, name, { hypervisorId: '5b6e7a1c-0000-4000-8000-000000000000', serviceId: 'gone' });
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Failed');

    expect(conditionOf(eviction)?.message).toMatch(/^failed to get hypervisor .*got 404/);
  });

  it('of a host that was registered anew is no success, and goes on when its new ids are known', async () => {
    const name = freshName('anew');
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

  it('of a host whose ids a second Hypervisor has fails, and goes on when it has them no more', async () => {
    const [name, other] = [freshName('doubtful'), freshName('thief')];
    const [id = ''] = await world.host(name, ['a']);
    await world.host(other);
    const ids = world.bed.cloud.host(name);
    await stateIds(world.bed, other, ids);
    const { hypervisors } = world.bed.operator.context;
    await expect.poll(() => hypervisors.cache.get(other)?.status?.serviceId).toBe(ids?.serviceId);
    await world.evict(name);

    const failed = await world.until(name, (each) => stateOf(each) === 'False/Failed');
    const askedBefore = world.asked(id);
    await stateIds(world.bed, other, world.bed.cloud.host(other));
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(conditionOf(failed)?.message).toBe(twinMessage(other));
    expect([askedBefore, world.asked(id)]).toEqual([0, 1]);
  });

  it('of a host that was never registered touches no other whose name is longer', async () => {
    const name = freshName('prefix');
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
    const name = freshName('down');
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
    const name = freshName('shelved');
    const [id = '', other = ''] = await world.host(name, [{ name: 'a', status: 'SHELVED' }, 'b']);
    await world.evict(name);

    const eviction = await world.until(name, (each) => each.status?.progress?.moved === 1);

    expect(eviction.status?.instances).toMatchObject([{ id, state: 'Waiting', attempts: 0 }]);
    expect(eviction.status?.instances?.[0]?.message).toContain('shelve --offload');
    expect([world.asked(id), world.asked(other)]).toEqual([0, 1]);
  });

  it('of a host that was never registered succeeds, because there is nothing to move', async () => {
    const name = freshName('unborn');
    await world.bed.hypervisors.apply(name, { spec: {} }, { fieldManager: 'test' });
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    expect(conditionOf(eviction)?.message).toBe(
      'eviction completed successfully due to expected case of no hypervisor',
    );
  });

  it('of an unknown hypervisor says so, and goes on when there is one', async () => {
    const name = freshName('nobody');
    await world.evict(name);

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Failed');
    const [id = ''] = await world.host(name, ['a']);
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded' && each.status?.progress?.moved === 1);

    expect(conditionOf(eviction)?.message).toContain(`there is no hypervisor "${name}", which spec.hypervisor names`);
    expect(world.asked(id)).toBe(1);
  });

  it('without a spec says which field is missing', async () => {
    const name = freshName('blank');
    await world.bed.evictions.create({ metadata: { name } });

    const eviction = await world.until(name, (each) => stateOf(each) === 'False/Failed');

    expect(conditionOf(eviction)?.message).toContain('spec.hypervisor is missing');
  });

  it('goes on with those that come after it was done', async () => {
    const name = freshName('late');
    const [first = ''] = await world.host(name, ['a']);
    await world.evict(name);
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    const second = world.bed.cloud.addServer(name, { name: 'b' });
    const eviction = await world.until(name, (each) => each.status?.progress?.moved === 2);

    expect(eviction.status?.progress?.total).toBe(2);
    expect([first, second].map((id) => world.asked(id))).toEqual([1, 1]);
  });

  it('of which there are two for one host is done once, and both tell of it', async () => {
    const twice = freshName('twice');
    const twiceAgain = freshName('twice-again');
    const ids = await world.host(twice, ['a', 'b', 'c', 'd']);
    await world.evict(twice);
    await world.evict(twice, twiceAgain);

    await world.until(twice, (each) => stateOf(each) === 'False/Succeeded');
    const other = await world.until(twiceAgain, (each) => stateOf(each) === 'False/Succeeded');

    expect(other.status?.progress?.moved).toBe(4);
    expect(ids.map((id) => world.asked(id))).toEqual([1, 1, 1, 1]);
  });

  it('tells each move as an event and counts it', async () => {
    const name = freshName('told');
    const before = world.bed.metric('smalt_eviction_moves_ended_total{result="succeeded"}');
    const [id = ''] = await world.host(name, ['a']);
    await world.evict(name);
    await world.until(name, (each) => stateOf(each) === 'False/Succeeded');

    const events = () => world.bed.kubectl('get', 'events', `--field-selector=involvedObject.name=${name}`);

    const told = `InstanceMoved +eviction/${name} +Migration of instance ${id} finished: it is on target`;
    await expect.poll(events).toMatch(new RegExp(told));
    expect(world.bed.metric('smalt_eviction_moves_ended_total{result="succeeded"}')).toBeGreaterThan(before);
  });
});
