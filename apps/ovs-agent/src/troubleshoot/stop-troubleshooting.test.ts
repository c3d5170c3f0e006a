import { once } from 'node:events';
import { connect } from 'node:tls';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { startTroubleshootingBed, type TroubleshootingBed } from './fixtures/troubleshooting-bed.ts';

let bed: TroubleshootingBed;

beforeAll(async () => {
  const judgement = { captureMs: 0 };
  bed = await startTroubleshootingBed({}, { judgement, times: { countersMs: 200 } });
  await bed.node.plugGuest({ device: 'tap1', address: '192.168.7.1/24' });
  await bed.agents.until('n1', ({ status }) => status?.bridges?.[0]?.status === 'Active');
});

afterAll(() => bed[Symbol.asyncDispose]());

it('takes no capture that runs for one that is left over', { timeout: 20_000 }, async () => {
  const response = await bed.open('POST', '/v1/captures', { body: { bridge: 'br-int', seconds: 60 } });
  response.on('error', () => undefined);
  await addMirror(['external_ids:smalt-capture=old']);

  const { status } = await bed.agents.until('n1', ({ status: seen }) => (seen?.issues ?? []).length > 0);
  response.destroy();

  const found = status?.issues?.map(({ reason, subject }) => `${reason} ${subject}`);
  expect(found).toEqual(['LeftoverCapture br-int/old']);
  await bed.node.vsctl('clear', 'bridge', 'br-int', 'mirrors');
  await expect.poll(() => bed.agent.metrics.scrapeText(AbortSignal.timeout(5_000))).toMatch(/^smalt_ovs_captures 0$/m);
});

it('leaves alone what another agent of the node captures', { timeout: 20_000 }, async () => {
  const response = await bed.open('POST', '/v1/captures', { body: { bridge: 'br-int', seconds: 60 } });
  response.on('error', () => undefined);
  const expired = ['external_ids:smalt-capture=old', 'external_ids:smalt-expires=2020-01-01T00\\:00\\:00Z'];
  await addMirror(expired);
  const names = async (): Promise<string> => await bed.node.vsctl('--bare', '--columns=name', 'list', 'mirror');

  await using _second = await bed.agents.startAgent(bed.node, { troubleshooting: bed.settings });

  // What nobody needs goes in the same look at the switch that finds the other.
  await expect.poll(names).not.toContain('old');
  expect((await names()).trim()).toMatch(/^smalt-[0-9a-f]{8}$/);
  response.destroy();
  await expect.poll(names).toBe('');
});

it.each([
  ['an address without a host', 'GET // HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '401'],
  ['a broken address', 'GET http://[ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '401'],
  ['no address', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', '401'],
  ['no HTTP', '\u0000\u00ff{"'.repeat(4_096), '400'],
  ['a head without an end', `GET / HTTP/1.1\r\na: ${'b'.repeat(17_000)}`, '431'],
])('refuses a stranger who sends %s, and does not stop', async (_, bytes, status) => {
  const heard = await exchange(bytes);

  expect(heard.split(' ').slice(0, 2)).toEqual(['HTTP/1.1', status]);
  expect((await bed.call('GET', '/v1/ports/tap1')).status).toBe(200);
});

it.each([
  { what: 'the mirror', words: ['clear', 'bridge', 'br-int', 'mirrors'], why: 'somebody has removed its mirror' },
  { what: 'the device', words: ['del-port'], why: 'tcpdump has ended: ' },
])('breaks off a capture where $what is taken away, after all that was captured', async ({ what, words, why }) => {
  const response = await bed.open('POST', '/v1/captures', { body: { bridge: 'br-int', seconds: 60, filter: 'sctp' } });
  const chunks: Buffer[] = [];
  const closed = new Promise((resolve) => response.on('error', () => undefined).once('close', resolve));
  response.on('data', (chunk) => chunks.push(chunk));
  const id = String(response.headers['smalt-capture']);

  await bed.node.vsctl(...words, ...(what === 'the device' ? [`smalt-${id.slice(0, 8)}`] : []));

  await closed;
  expect(response.errored).toMatchObject({ code: 'ECONNRESET' });
  expect(Buffer.concat(chunks)).toHaveLength(24);
  expect(bed.agents.log.findLast((each) => each['call'] === 'POST /v1/captures')).toMatchObject({
    status: 503,
    detail: expect.stringContaining(`the capture ended early, after 0 packets: ${why}`),
  });
  await expect.poll(() => bed.node.vsctl('list', 'mirror')).toBe('');
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

/** Sends bytes over TLS, and gives what came back until the other side ended. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port: bed.agent.troubleshootingPort, ca: bed.authority });
  const heard: Buffer[] = [];
  socket.on('data', (chunk) => heard.push(chunk)).on('error', () => undefined);
  socket.write(bytes, 'latin1');
  await once(socket, 'close');
  return Buffer.concat(heard).toString('latin1');
}

/** A mirror of nobody, which copies nothing. */
async function addMirror(marks: readonly string[]): Promise<void> {
  const create = ['--', '--id=@m', 'create', 'mirror', 'name=old', ...marks];
  await bed.node.vsctl(...create, '--', 'add', 'bridge', 'br-int', 'mirrors', '@m');
}
