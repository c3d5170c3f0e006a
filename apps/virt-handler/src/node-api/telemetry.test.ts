import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { DomainJobType } from '@smalt/libvirt';
import type { WebSocketStream } from '@smalt/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { GUEST_PATH, startNodeApiBed, type NodeApiBed } from './fixtures/node-api-bed.ts';

const NODE_PATH = '/v1/nodes/n1';
let bed: NodeApiBed;
let nodeToken: string;

beforeAll(async () => {
  bed = await startNodeApiBed({ mostReaders: 3 });
  nodeToken = await bed.account('operates', { 'nodes/usage': 'get', 'nodes/logs': 'get' });
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('usage of a guest', () => {
  it('is told once a second, as totals, until as much was told as was asked for', async () => {
    await using stream = await bed.open(`${GUEST_PATH}/usage?seconds=2`);

    const messages = await all(stream);

    expect(stream.protocol).toBe('plain.kubevirt.io');
    expect(messages).toEqual([
      expect.objectContaining({
        cpu: { seconds: expect.any(Number), vcpus: 1 },
        memory: { residentBytes: expect.any(Number), usedBytes: expect.any(Number), totalBytes: expect.any(Number) },
        disks: expect.any(Array),
        interfaces: expect.any(Array),
      }),
      expect.objectContaining({ at: expect.any(String) }),
    ]);
    const [first, second] = messages.map((each) => Object(each));
    expect(first.memory.residentBytes).toBeGreaterThan(1_000_000);
    expect(Date.parse(second.at)).toBeGreaterThan(Date.parse(first.at));
    expect(second.cpu.seconds).toBeGreaterThanOrEqual(first.cpu.seconds);
    expect(first).not.toHaveProperty('migration');
  });

  it('is measured for all readers together, and no longer than somebody reads', async () => {
    const readers = await Promise.all([bed.open(`${GUEST_PATH}/usage`), bed.open(`${GUEST_PATH}/usage`)]);
    const firsts = await Promise.all(readers.map((reader) => firstOf(reader)));

    expect(Object(firsts[0]).at).toBe(Object(firsts[1]).at);
    expect(bed.metrics.expose()).toContain('smalt_virt_handler_readers{of="usage"} 2');
    await Promise.all(readers.map((reader) => reader.close()));
    await expect.poll(() => bed.sampler.readers).toBe(0);
  });

  it('has room for so many readers and no more, and consoles are none of them', async () => {
    const readers = await Promise.all([1, 2, 3].map(() => bed.open(`${GUEST_PATH}/usage`)));

    await expect(bed.open(`${GUEST_PATH}/usage`)).rejects.toMatchObject({ httpStatus: 429 });
    await using console = await bed.open(`${GUEST_PATH}/console`);

    expect(console.protocol).toBe('plain.kubevirt.io');
    await Promise.all(readers.map((reader) => reader.close()));
  });

  it.each([
    [`${GUEST_PATH}/usage?seconds=0`, 400, 'seconds: "0" is no number from 1 to 86400'],
    [`${GUEST_PATH}/logs?lines=-1`, 400, 'lines: "-1" is no number from 0 to 10000'],
    [`${GUEST_PATH}/logs?follow=maybe`, 400, 'follow: "maybe" is neither true nor false'],
    ['/v1/namespaces/default/virtualmachineinstances/other/usage', 404, 'is not on this node'],
    [`${NODE_PATH}/logs`, 403, 'may not get nodes/logs of subresources.kubevirt.io, for n1'],
  ])('is refused for %s with %d', async (path, httpStatus, message) => {
    await expect(bed.open(path)).rejects.toMatchObject({
      httpStatus,
      answer: expect.stringContaining(escaped(message)),
    });
  });

  it('is a WebSocket and nothing else', async () => {
    const answer = await bed.call('GET', `${GUEST_PATH}/usage`);

    expect([answer.status, answer.body['message']]).toEqual([400, 'usage is a WebSocket: ask for an upgrade']);
  });
});

describe('a guest that leaves', () => {
  it('is asked for its job, which has nothing to tell before anything was sent', async () => {
    const migrationState = { sourceNode: 'n1', startTimestamp: new Date().toISOString() };
    bed.change((instance) => ({ ...instance, status: { phase: 'Running', migrationState } }));

    const { type } = await bed.session.domainGetJobStats({ domain: bed.domain });
    await using stream = await bed.open(`${GUEST_PATH}/usage?seconds=1`);

    expect(type).toBe(DomainJobType.none);
    expect(await firstOf(stream)).not.toHaveProperty('migration');
    bed.change((instance) => ({ ...instance, status: { phase: 'Running' } }));
  });
});

describe('usage of a node', () => {
  it('has the host and each guest by its name', async () => {
    await using stream = await bed.open(`${NODE_PATH}/usage?seconds=1`, { token: nodeToken });

    expect(await firstOf(stream)).toMatchObject({
      host: { cpus: expect.any(Number), memoryTotalBytes: expect.any(Number) },
      machines: [{ namespace: 'default', name: 'web', cpu: { vcpus: 1 } }],
    });
  });

  it.each([
    ['/v1/nodes/n2/usage', 404, 'this is the node n1, not n2'],
    [`${NODE_PATH}/console`, 404, 'there is no GET'],
    [`${NODE_PATH}/logs?unit=kernel`, 400, 'unit: "kernel" is no log of a node: give one of libvirt, ovs, agents'],
    [`${NODE_PATH}/logs?unit=ovs`, 404, 'there is no log of ovs on n1'],
  ])('is refused for %s with %d', async (path, httpStatus, message) => {
    const refusal = bed.open(path, { token: nodeToken });

    await expect(refusal).rejects.toMatchObject({ httpStatus, answer: expect.stringContaining(escaped(message)) });
  });
});

describe('logs', () => {
  it('of a guest begin with what QEMU was started with', async () => {
    await using stream = await bed.open(`${GUEST_PATH}/logs?lines=1000&follow=false`);

    const [message] = await all(stream);

    const { lines } = Object(message);
    expect(lines[0]).toEqual({ source: 'qemu', text: expect.stringContaining('starting up libvirt version') });
  });

  it('of the agents are followed', async () => {
    const file = join(bed.settings.stateDirectory, 'agents.log');
    await writeFile(file, 'one\ntwo\n');
    await using stream = await bed.open(`${NODE_PATH}/logs?unit=agents&lines=1`, { token: nodeToken });
    const messages = messagesOf(stream);
    const past = await messages.next();

    await appendFile(file, 'three\n');

    expect(past.value).toEqual({ lines: [{ source: 'agents.log', text: 'two' }] });
    expect((await messages.next()).value).toEqual({ lines: [{ source: 'agents.log', text: 'three' }] });
    await messages.return();
  });

  it('of a switch are in its directory', async () => {
    const directory = join(bed.settings.stateDirectory, 'openvswitch');
    await mkdir(directory);
    await writeFile(join(directory, 'ovs-vswitchd.log'), 'bridge br-int: added\n');

    await using stream = await bed.open(`${NODE_PATH}/logs?unit=ovs&follow=false`, { token: nodeToken });

    expect(await all(stream)).toEqual([{ lines: [{ source: 'ovs-vswitchd', text: 'bridge br-int: added' }] }]);
  });
});

describe('a guest that ends', () => {
  it('ends its usage, and its log stays', async () => {
    await using usage = await bed.open(`${GUEST_PATH}/usage`);
    await firstOf(usage, false);

    await bed.end();
    const ended = await all(usage);
    await using logs = await bed.open(`${GUEST_PATH}/logs?follow=false`);

    expect(ended).toEqual(expect.any(Array));
    await expect(bed.open(`${GUEST_PATH}/usage`)).rejects.toMatchObject({
      httpStatus: 409,
      answer: expect.stringContaining('VMI is not running'),
    });
    expect(JSON.stringify(await all(logs))).toContain('shutting down');
  });
});

async function* messagesOf(stream: WebSocketStream): AsyncGenerator<unknown, void> {
  let text = '';
  for await (const bytes of stream) {
    text += Buffer.from(bytes).toString('utf8');
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}

async function all(stream: WebSocketStream): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const message of messagesOf(stream)) found.push(message);
  return found;
}

/** The first message; what comes after it is left to others where the stream is to be read on. */
async function firstOf(stream: WebSocketStream, isLast = true): Promise<unknown> {
  const messages = messagesOf(stream);
  const { value } = await messages.next();
  if (isLast) await messages.return();
  return value;
}

function escaped(message: string): string {
  return JSON.stringify(message).slice(1, -1);
}
