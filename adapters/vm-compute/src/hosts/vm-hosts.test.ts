import { expect, it } from 'vitest';

import { NOW, startComputeBed } from '../fixtures/compute-bed.ts';

const signal = AbortSignal.timeout(60_000);
const MINUTE = 60_000;

it('says of a host that is declared dead which boot and heartbeat are over, until it shows another', async () => {
  await using bed = await startComputeBed();
  const host = await bed.host('rebooted', NOW);
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
