import { expect, it } from 'vitest';

import { byIds, NOW, startComputeBed } from '../fixtures/compute-bed.ts';

const signal = AbortSignal.timeout(60_000);
const MINUTE = 60_000;

it('takes the nodes of which a handler was heard for hosts, which are up while their heartbeats change', async () => {
  await using bed = await startComputeBed();
  // No two of these clocks agree.
  await bed.host('alive', NOW - 10 * MINUTE, { 'topology.kubernetes.io/zone': 'a' });
  await bed.host('silent', NOW + 10 * MINUTE);
  await bed.api.nodes.create({ metadata: { name: 'other' } });
  const look = async () =>
    (await bed.compute.hosts.list(signal)).map(({ name, isUp, zone }) => [name, isUp, zone] as const);

  const first = await look();
  bed.now = NOW + 4 * MINUTE;
  await bed.heartbeat('alive', NOW - 6 * MINUTE);
  await look();
  bed.now = NOW + 6 * MINUTE;

  expect([first, await look()]).toEqual([
    [
      ['alive', true, 'a'],
      ['silent', true, undefined],
    ],
    [
      ['alive', true, 'a'],
      ['silent', false, undefined],
    ],
  ]);
}, 60_000);

it('is not declared dead any more by a note that it has outlived, and is declared so anew when it dies again', async () => {
  await using bed = await startComputeBed();
  const host = byIds(await bed.host('back', NOW - MINUTE));
  const look = async () => await bed.compute.hosts.get(host, signal);
  await bed.compute.hosts.forceDown(host, signal);
  const declared = await look();

  await bed.heartbeat('back', NOW + MINUTE);
  const back = await look();
  bed.now = NOW + 10 * MINUTE;
  await bed.compute.hosts.forceDown(host, signal);

  expect(declared).toMatchObject({ isForcedDown: true, isUp: false });
  expect(back).toMatchObject({ isForcedDown: false, isUp: true });
  expect(await look()).toMatchObject({ isForcedDown: true, isUp: false });
}, 60_000);

it('does not declare a host dead that shows another boot or heartbeat than whoever proved it to be off has seen', async () => {
  await using bed = await startComputeBed();
  const seen = await bed.host('moved', NOW);
  await bed.heartbeat('moved', NOW + MINUTE);
  bed.now = NOW + 2 * MINUTE;

  const refused = await bed.compute.hosts.forceDown(seen, signal).catch((error: unknown) => error);
  const after = await bed.found('moved');
  await bed.compute.hosts.forceDown(after, signal);

  expect(refused).toMatchObject({ code: 'stale' });
  expect([after.isForcedDown, after.lifeSign === seen.lifeSign]).toEqual([false, false]);
  expect(await bed.found('moved')).toMatchObject({ isForcedDown: true, lifeSign: after.lifeSign });
}, 60_000);

it('is not deregistered while a launcher is bound to it that has not ended', async () => {
  await using bed = await startComputeBed();
  const host = await bed.host('left');
  const vmi = await bed.newborn('late');
  await bed.launcher(vmi, 'late-pod', 'left');

  const blocked = await bed.compute.hosts.deregister(host, signal);
  await bed.api.pods.delete('late-pod', { namespace: 'shop', gracePeriodSeconds: 0 });

  expect(blocked).toMatchObject({ kind: 'blocked', message: expect.stringContaining('shop/late') });
  expect(blocked).toMatchObject({ message: expect.stringContaining('--field-selector spec.nodeName=left') });
  expect(await bed.compute.hosts.deregister(host, signal)).toEqual({ kind: 'done' });
}, 60_000);

it('says of a host that is declared dead which boot and heartbeat are over, until it shows another', async () => {
  await using bed = await startComputeBed();
  const host = byIds(await bed.host('rebooted', NOW));
  const show = async (bootID: string): Promise<unknown> =>
    await bed.api.nodes.patch('rebooted', 'merge', { status: { nodeInfo: { bootID } } }, { subresource: 'status' });
  const noted = async (): Promise<readonly (string | undefined)[]> => {
    const { annotations = {} } = (await bed.api.nodes.get('rebooted')).metadata;
    return ['at', 'boot', 'heartbeat'].map((name) => annotations[`smalt.dev/fenced-${name}`]);
  };
  await show('b1');
  // A clock that is behind that of the node.
  bed.now = NOW - MINUTE;

  await bed.compute.hosts.forceDown(host, signal);
  bed.now = NOW;
  await bed.compute.hosts.forceDown(host, signal);
  const first = await noted();
  await show('b2');
  await bed.compute.hosts.forceDown(host, signal);
  const other = await noted();
  await bed.compute.hosts.clearForcedDown(host, signal);

  const [before, time] = [NOW - MINUTE, NOW].map((each) => new Date(each).toISOString());
  expect([first, other]).toEqual([
    [before, 'b1', time],
    [time, 'b2', time],
  ]);
  expect(await noted()).toEqual([undefined, undefined, undefined]);
}, 60_000);
