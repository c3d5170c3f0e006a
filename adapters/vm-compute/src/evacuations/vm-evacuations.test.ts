import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { byIds, NOW, startComputeBed, type ComputeBed } from '../fixtures/compute-bed.ts';

const signal = AbortSignal.timeout(120_000);
const MINUTE = 60_000;
let bed: ComputeBed;

beforeAll(async () => {
  bed = await startComputeBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

describe('evacuations', () => {
  it('are refused until the host is declared dead, after it was last heard of', async () => {
    const host = await bed.host('e-up', NOW - MINUTE);
    await bed.machine({ name: 'e-vm' });
    await bed.instance('e-vm', 'e-up');

    await expect(bed.compute.evacuations.start('shop/e-vm', {}, signal)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('may still run on e-up'),
    });
    await bed.compute.hosts.forceDown(host, signal);
    await bed.heartbeat('e-up', NOW + MINUTE);

    await expect(bed.compute.evacuations.start('shop/e-vm', {}, signal)).rejects.toMatchObject({ code: 'conflict' });
    expect(await bed.compute.evacuations.list(host, new Date(0), signal)).toEqual([]);
  });

  it('need both ends of a migration to be off', async () => {
    const source = await bed.host('e-source', NOW - MINUTE);
    const target = await bed.host('e-target', NOW - MINUTE);
    await bed.machine({ name: 'e-moving' });
    await bed.instance('e-moving', 'e-source', {
      migrationState: {
        sourceNode: 'e-source',
        targetNode: 'e-target',
        startTimestamp: new Date(NOW - 2 * MINUTE).toISOString(),
      },
    });
    await bed.compute.hosts.forceDown(source, signal);

    await expect(bed.compute.evacuations.start('shop/e-moving', {}, signal)).rejects.toThrow('e-source or e-target');
    await bed.compute.hosts.forceDown(target, signal);
    await bed.compute.evacuations.start('shop/e-moving', {}, signal);

    expect(await bed.compute.evacuations.list(source, new Date(0), signal)).toMatchObject([{ state: 'open' }]);
  });

  it('are open until another instance runs, and never begun twice meanwhile', async () => {
    const host = await bed.host('e-dead', NOW - MINUTE);
    await bed.host('e-next');
    await bed.machine({ name: 'e-victim' });
    await bed.instance('e-victim', 'e-dead');
    await bed.compute.hosts.forceDown(host, signal);

    await bed.compute.evacuations.start('shop/e-victim', {}, signal);
    const second = bed.compute.evacuations.start('shop/e-victim', {}, signal);
    await expect(second).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('on its way already'),
    });
    const begun = await bed.compute.evacuations.list(host, new Date(NOW + MINUTE), signal);
    await bed.tell('e-victim', { phase: 'Failed' });
    await bed.removeInstance('e-victim');
    const between = await bed.compute.evacuations.list(host, new Date(0), signal);
    await bed.instance('e-victim', 'e-next');
    const arrived = await bed.compute.evacuations.list(host, new Date(0), signal);
    await bed.heartbeat('e-dead', NOW + MINUTE);
    const cleared = await bed.compute.evacuations.list(host, new Date(0), signal);

    const record = { instanceId: 'shop/e-victim', sourceName: 'e-dead', startedAt: new Date(NOW).toISOString() };
    expect(begun).toMatchObject([{ ...record, state: 'open', targetName: undefined, isCleared: false }]);
    expect(between).toMatchObject([{ ...record, state: 'open' }]);
    expect(arrived).toMatchObject([{ ...record, state: 'done', targetName: 'e-next', isCleared: false }]);
    expect(cleared).toMatchObject([{ ...record, state: 'done', isCleared: true }]);
    expect(await bed.compute.instances.get('shop/e-victim', signal)).toMatchObject({ hostName: 'e-next' });
    expect(await bed.compute.evacuations.list(host, new Date(NOW + MINUTE), signal)).toEqual([]);
  });

  it.each([
    ['ahead', 10],
    ['behind', -10],
  ])('are cleared by another heartbeat than the last of the dead node, whose clock is %s', async (which, minutes) => {
    const [dead, next, victim] = [`e-dead-${which}`, `e-next-${which}`, `e-victim-${which}`];
    const host = byIds(await bed.host(dead, NOW + minutes * MINUTE));
    await bed.host(next);
    await bed.machine({ name: victim });
    await bed.instance(victim, dead);
    await bed.api.nodes.patch(dead, 'merge', { status: { nodeInfo: { bootID: 'b1' } } }, { subresource: 'status' });
    const isCleared = async (): Promise<readonly boolean[]> =>
      (await bed.compute.evacuations.list(host, new Date(0), signal)).map((each) => each.isCleared);
    await bed.compute.hosts.forceDown(host, signal);
    await bed.compute.evacuations.start(`shop/${victim}`, {}, signal);
    await bed.removeInstance(victim);
    await bed.instance(victim, next);

    const off = await isCleared();
    await bed.compute.hosts.clearForcedDown(host, signal);
    const unnoted = await isCleared();
    await bed.heartbeat(dead, NOW + minutes * MINUTE + 1000);

    expect([off, unnoted, await isCleared()]).toEqual([[false], [false], [true]]);
  });

  it('that an earlier version has noted, without a heartbeat, are cleared by another than the fence note names', async () => {
    const host = byIds(await bed.host('e-old', NOW + 10 * MINUTE));
    await bed.machine({ name: 'e-noted' });
    await bed.api.nodes.patch('e-old', 'merge', { status: { nodeInfo: { bootID: 'b1' } } }, { subresource: 'status' });
    await bed.compute.hosts.forceDown(host, signal);
    const old = { id: 'old', source: 'e-old', instanceUid: 'gone', startedAt: new Date(NOW).toISOString() };
    const metadata = {
      annotations: { 'smalt.dev/evacuation': JSON.stringify(old) },
      labels: { 'smalt.dev/evacuated-from': 'e-old' },
    };
    await bed.api.machines.patch('e-noted', 'merge', { metadata }, { namespace: 'shop' });
    const isCleared = async (): Promise<readonly boolean[]> =>
      (await bed.compute.evacuations.list(host, new Date(0), signal)).map((each) => each.isCleared);

    const off = await isCleared();
    await bed.heartbeat('e-old', NOW + 11 * MINUTE);
    const heard = await isCleared();
    await bed.compute.hosts.clearForcedDown(host, signal);

    expect([off, heard, await isCleared()]).toEqual([[false], [true], [false]]);
  });

  it.each([
    { name: 'e-manual', runStrategy: 'Manual', options: {}, message: /started by its owner alone/ },
    { name: 'e-chosen', runStrategy: 'Always', options: { targetName: 'e-next' }, message: /the scheduler chooses/ },
  ])('of $name, $runStrategy, with $options are refused', async ({ name, runStrategy, options, message }) => {
    const host = await bed.host(`host-of-${name}`, NOW - MINUTE);
    await bed.machine({ name, runStrategy });
    await bed.instance(name, host.name);
    await bed.compute.hosts.forceDown(host, signal);

    await expect(bed.compute.evacuations.start(`shop/${name}`, options, signal)).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringMatching(message),
    });
  });

  it('of instances without a machine are refused: nobody would make them again', async () => {
    const host = await bed.host('e-bare-host', NOW - MINUTE);
    await bed.instance('e-bare', 'e-bare-host');
    await bed.compute.hosts.forceDown(host, signal);

    await expect(bed.compute.evacuations.start('shop/e-bare', {}, signal)).rejects.toMatchObject({ code: 'refused' });
    await expect(bed.compute.evacuations.start('shop/e-none', {}, signal)).rejects.toMatchObject({ code: 'not-found' });
  });

  it('asked for by two at once are begun once', async () => {
    const host = await bed.host('e-raced', NOW - MINUTE);
    await bed.machine({ name: 'e-race' });
    await bed.instance('e-race', 'e-raced');
    await bed.compute.hosts.forceDown(host, signal);

    const asked = await Promise.allSettled(
      [1, 2, 3].map(() => bed.compute.evacuations.start('shop/e-race', {}, signal)),
    );

    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await bed.compute.evacuations.list(host, new Date(0), signal)).toHaveLength(1);
  });
});
