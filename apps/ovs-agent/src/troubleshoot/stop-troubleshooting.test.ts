import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTroubleshootingBed, type TroubleshootingBed } from './fixtures/troubleshooting-bed.ts';

let bed: TroubleshootingBed;

beforeAll(async () => {
  const judgement = { captureMs: 0 };
  bed = await startTroubleshootingBed({}, { judgement, times: { countersMs: 200 } });
  await bed.node.plugGuest({ device: 'tap1', address: '192.168.7.1/24' });
  await bed.agents.until('n1', ({ status }) => status?.bridges?.[0]?.status === 'Active');
}, 60_000);

afterAll(() => bed[Symbol.asyncDispose]());

it('takes no capture that runs for one that is left over', { timeout: 20_000 }, async () => {
  const response = await bed.open('POST', '/v1/captures', { body: { bridge: 'br-int', seconds: 60 } });
  response.on('error', () => undefined);
  await bed.node.vsctl(
    '--',
    '--id=@m',
    'create',
    'mirror',
    'name=old',
    'external_ids:smalt-capture=old',
    '--',
    'add',
    'bridge',
    'br-int',
    'mirrors',
    '@m',
  );

  const { status } = await bed.agents.until('n1', ({ status: seen }) => (seen?.issues ?? []).length > 0);
  response.destroy();

  const found = status?.issues?.map(({ reason, subject }) => `${reason} ${subject}`);
  expect(found).toEqual(['LeftoverCapture br-int/old']);
  await bed.node.vsctl('clear', 'bridge', 'br-int', 'mirrors');
  await expect.poll(() => bed.agent.metrics.scrapeText(AbortSignal.timeout(5_000))).toMatch(/^smalt_ovs_captures 0$/m);
});

it('stops in the midst of a capture that nobody reads, and leaves nothing of it', { timeout: 20_000 }, async () => {
  const response = await bed.open('POST', '/v1/captures', { body: { bridge: 'br-int', seconds: 60 } });
  const ended = new Promise((resolve) => response.on('error', () => undefined).once('close', resolve));
  const during = await bed.node.vsctl('--bare', '--columns=name', 'list', 'mirror');

  await bed.agent[Symbol.asyncDispose]();

  const after = await bed.node.vsctl('list', 'mirror');
  response.resume();
  await ended;
  expect([during.trim(), after]).toEqual([expect.stringMatching(/^smalt-/), '']);
  expect(await bed.node.vsctl('list-ports', 'br-int')).not.toContain('smalt-');
});
