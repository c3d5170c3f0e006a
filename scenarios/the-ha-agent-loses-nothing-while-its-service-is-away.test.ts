import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import type { TelemetryRecord } from '@smalt/ha-telemetry';
import { connect, type Connection, type Domain } from '@smalt/libvirt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { HaReceiver, type ReceiverFault } from './ha-receiver.ts';
import { runHaAgent, type RunningHaAgent } from './run-ha-agent.ts';

describe('the HA agent loses nothing', { timeout: 60_000 }, () => {
  const owned = new AsyncDisposableStack();
  let daemon: TestDaemon;
  let connection: Connection;
  let domain: Domain;
  let stateDirectory: string;

  beforeAll(async () => {
    daemon = owned.use(await startTestDaemon());
    connection = owned.use(await connect(daemon.uri));
    domain = await connection.domainLookupByName({ name: 'test' });
  });

  beforeEach(async () => {
    stateDirectory = await mkdtemp(join(tmpdir(), 'ha-agent-'));
  });

  afterEach(() => rm(stateDirectory, { recursive: true }));

  afterAll(() => owned.disposeAsync());

  it('and repeats nothing when answers are lost, late, wrong or unfriendly', async () => {
    await using receiver = await new HaReceiver().start();
    await using agent = await start(receiver);
    const faults: readonly (readonly ReceiverFault[])[] = [
      [{ kind: 'lose-answer' }, { kind: 'lose-answer' }],
      [{ kind: 'answer', status: 500 }],
      [{ kind: 'answer', status: 200, body: 'hello' }],
      [{ kind: 'answer', status: 503, headers: { 'retry-after': '1' } }],
      [{ kind: 'hang' }],
      [{ kind: 'answer', status: 403 }],
      [{ kind: 'answer', status: 400, body: '<html><title>400 The SSL certificate error</title></html>' }],
      [{ kind: 'answer', status: 413, body: '<html><title>413 Request Entity Too Large</title></html>' }],
    ];

    for (const [index, ahead] of faults.entries()) {
      await agent.condition('True/Reporting');
      const left = [...ahead];
      receiver.fault = () => left.shift();
      await blink();
      await receiver.until(() => blinks(receiver.records) === index + 1 && left.length === 0, `time ${index + 1}`);
    }

    expect(receiver.complaints).toEqual([]);
    expect(numbersOf(receiver.records)).toEqual(receiver.records.map((_, index) => index + 1));
    await agent.condition('True/Reporting');
    expect(agent.conditions).toEqual([
      'Unknown/Starting',
      'True/Reporting',
      'False/ServiceUnreachable',
      'True/Reporting',
    ]);
    for (const result of ['unreachable', 'server-error', 'unclear-answer', 'timeout', 'unauthorized']) {
      expect(agent.metrics()).toMatch(new RegExp(`smalt_ha_agent_pushes_total\\{result="${result}"\\} [1-9]`));
    }
  });

  it('when the service and the agent are away in turn', async () => {
    await using receiver = await new HaReceiver().start();
    await using first = await start(receiver);
    await blink();
    await receiver.until(() => blinks(receiver.records) === 1, 'the first time');

    await receiver.stop();
    for (let round = 2; round <= 4; round++) await blink();
    await first.condition('False/ServiceUnreachable');
    await first.stop();
    await using second = await start(receiver);
    await second.condition('False/ServiceUnreachable');
    await blink();
    await receiver.start();
    await receiver.until(() => blinks(receiver.records) === 5, 'the fifth time');
    await second.stop();

    expect(second.messages.join('\n')).toMatch(
      /about \d+ records wait since .*Z, because the HA service at http:.*refused/i,
    );
    expect(receiver.complaints).toEqual([]);
    expect(numbersOf(receiver.records)).toEqual(receiver.records.map((_, index) => index + 1));
    expect(new Set(receiver.batches.map(({ agent }) => agent)).size).toBe(2);
    const started = receiver.records.filter((record) => record.kind === 'missed' && record.reason === 'agent-started');
    expect(started).toHaveLength(2);
  });

  it('and sends what waits before it ends, but does not wait for a service that hangs', async () => {
    await using receiver = await new HaReceiver().start();
    const first = await start(receiver);
    await receiver.until(() => receiver.records.some(({ kind }) => kind === 'instances'), 'the first report');
    let seen = 0;
    receiver.fault = ({ records }) => {
      seen = Math.max(seen, blinks(records));
      return { kind: 'answer', status: 503, headers: { 'retry-after': '60' } };
    };
    await blink();
    await receiver.until(() => seen > 0 || receiver.batches.length > 3, 'a batch that is turned away');
    receiver.fault = undefined;
    await first[Symbol.asyncDispose]();
    const taken = blinks(receiver.records);

    receiver.fault = () => ({ kind: 'hang' });
    const before = receiver.batches.length;
    const second = await start(receiver, { requestTimeoutMs: 60_000 });
    await receiver.until(() => receiver.batches.length > before, 'another batch');
    const stoppedAt = performance.now();
    await second[Symbol.asyncDispose]();

    expect(taken).toBe(1);
    expect(performance.now() - stoppedAt).toBeLessThan(3500);
    expect(receiver.complaints).toEqual([]);
  });

  it('but one record that the service will never take, and says so', async () => {
    await using receiver = await new HaReceiver({
      fault: ({ epoch, records }) => {
        const bad = records.find((record) => record.kind === 'lifecycle' && record.event === 'suspended');
        return bad && { kind: 'answer', status: 400, body: JSON.stringify({ epoch, error: 'no' }) };
      },
    }).start();
    await using agent = await start(receiver);

    await blink();
    const gap = await receiver.record((record) => record.kind === 'gap', 'a gap');
    await receiver.record((record) => record.kind === 'lifecycle' && record.event === 'resumed', 'what follows');

    expect(gap).toMatchObject({ reason: 'refused' });
    expect(receiver.complaints).toEqual([]);
    expect(agent.metrics()).toContain('smalt_ha_agent_records_dropped_total{reason="refused"} 1\n');
    expect(agent.log.join('')).toContain('the HA service refuses a record, it is set aside');
  });

  it('when a thousand domains change at once', async () => {
    await using receiver = await new HaReceiver().start();
    await using agent = await start(receiver);
    const names = Array.from({ length: 1000 }, (_, index) => `burst-${index}`);

    const domains = await Promise.all(names.map((name) => connection.domainDefineXml({ xml: smallestXml(name) })));
    await Promise.all(domains.map((each) => connection.domainCreate({ domain: each })));
    await receiver.until(() => startedNames(receiver.records).length === 1000, 'the last start');
    await Promise.all(domains.map((each) => connection.domainDestroy({ domain: each })));
    await Promise.all(domains.map((each) => connection.domainUndefine({ domain: each })));

    expect(startedNames(receiver.records).toSorted()).toEqual(names.toSorted());
    expect(receiver.complaints).toEqual([]);
    expect(agent.metrics()).toContain('smalt_ha_agent_report_settings_valid 1');
  });

  it('and says where events may be missing because libvirt was away', async () => {
    await using own = await startTestDaemon();
    await using receiver = await new HaReceiver().start();
    await using agent = await runHaAgent({ uri: own.uri, stateDirectory, settings: settings(receiver) });
    await receiver.until(() => receiver.records.some(({ kind }) => kind === 'instances'), 'the first report');

    own.kill('SIGKILL');
    await own.exited();
    await own.restart();
    const missed = await receiver.record(
      (record) => record.kind === 'missed' && record.reason === 'libvirt-lost',
      'a loss',
    );
    await receiver.record(
      (record) => record.kind === 'instances' && record.sequence > missed.sequence,
      'a report after the loss',
    );

    expect(missed).toMatchObject({ since: expect.any(String) });
    expect(receiver.complaints).toEqual([]);
    expect(agent.conditions.at(-1)).toBe('True/Reporting');
  });

  function start(receiver: HaReceiver, change: { requestTimeoutMs?: number } = {}): Promise<RunningHaAgent> {
    return runHaAgent({ uri: daemon.uri, stateDirectory, settings: settings(receiver, change) });
  }

  async function blink(): Promise<void> {
    await connection.domainSuspend({ domain });
    await connection.domainResume({ domain });
  }
});

function settings(receiver: HaReceiver, change: { requestTimeoutMs?: number } = {}) {
  return { service: { url: receiver.url, requestTimeoutMs: 500, ...change } };
}

function blinks(records: readonly TelemetryRecord[]): number {
  return records.filter((record) => record.kind === 'lifecycle' && record.event === 'resumed').length;
}

function startedNames(records: readonly TelemetryRecord[]): readonly string[] {
  return records.flatMap((record) =>
    record.kind === 'lifecycle' && record.event === 'started' ? [record.domain.name] : [],
  );
}

function smallestXml(name: string): string {
  return `<domain type="test"><name>${name}</name><memory>1024</memory><os><type>hvm</type></os></domain>`;
}

function numbersOf(records: readonly TelemetryRecord[]): readonly number[] {
  return records.map(({ sequence }) => sequence);
}
