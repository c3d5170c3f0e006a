import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { connect } from '@smalt/libvirt';
import { expect, it } from 'vitest';

import { HaReceiver } from './ha-receiver.ts';
import { runHaAgent } from './run-ha-agent.ts';

const isRoot = process.getuid?.() === 0;

it.skipIf(!isRoot)(
  'tells of events on a full disk, says that it is full, and writes again when there is room',
  { timeout: 60_000 },
  async () => {
    using disk = tinyDisk();
    await using daemon = await startTestDaemon();
    await using connection = await connect(daemon.uri);
    const domain = await connection.domainLookupByName({ name: 'test' });
    await using receiver = await new HaReceiver().start();
    await using agent = await runHaAgent({
      uri: daemon.uri,
      stateDirectory: disk.path,
      settings: { service: { url: receiver.url } },
    });
    await agent.condition('True/Reporting');

    disk.fill();
    let blinks = 0;
    while (!agent.conditions.includes('False/QueueDegraded')) {
      await connection.domainSuspend({ domain });
      await connection.domainResume({ domain });
      blinks++;
    }
    await connection.domainSuspend({ domain });
    await receiver.until(() => suspensions(receiver) === blinks + 1, 'all of them');
    const [whileFull] = [agent.metrics()];
    disk.free();
    await agent.condition('True/Reporting');

    const numbers = receiver.records.map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(receiver.complaints).toEqual([]);
    expect(whileFull).toContain('smalt_ha_agent_queue_degraded 1\n');
    expect(agent.conditions).toEqual(['Unknown/Starting', 'True/Reporting', 'False/QueueDegraded', 'True/Reporting']);
  },
);

it.skipIf(!isRoot)(
  'is not silent when it starts on a full disk, and numbers nothing anew when there is room',
  { timeout: 60_000 },
  async () => {
    using disk = tinyDisk();
    await using daemon = await startTestDaemon();
    await using connection = await connect(daemon.uri);
    const domain = await connection.domainLookupByName({ name: 'test' });
    await using receiver = await new HaReceiver().start();
    disk.fill();
    await using agent = await runHaAgent({
      uri: daemon.uri,
      stateDirectory: disk.path,
      settings: { service: { url: receiver.url } },
    });

    await receiver.record(({ kind }) => kind === 'uptime', 'the uptime');
    await receiver.record(({ kind }) => kind === 'instances', 'the instances');
    const whileFull = agent.conditions.at(-1);
    disk.free();
    await agent.condition('True/Reporting');
    await connection.domainSuspend({ domain });
    await receiver.until(() => suspensions(receiver) === 1, 'an event after that');

    const numbers = receiver.records.map(({ sequence }) => sequence);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(receiver.complaints).toEqual([]);
    expect(whileFull).toBe('False/QueueDegraded');
  },
);

function suspensions({ records }: HaReceiver): number {
  return records.filter((record) => record.kind === 'lifecycle' && record.event === 'suspended').length;
}

function tinyDisk() {
  const path = mkdtempSync(join(tmpdir(), 'ha-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path]);
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => fill(filler),
    free: () => rmSync(filler),
    [Symbol.dispose]: () => {
      execFileSync('umount', ['--lazy', path]);
      rmSync(path, { recursive: true });
    },
  };
}

function fill(path: string): void {
  const page = Buffer.alloc(4096);
  try {
    for (;;) appendFileSync(path, page);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}
