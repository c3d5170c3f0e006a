import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestDaemon, type TestDaemon } from '@smalt/bed-libvirt';
import { createHaAgent } from '@smalt/ha-agent';
import { openSession } from '@smalt/libvirt';
import { createIgnore, createLogger, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { TestCertificate } from '../../fixtures/test-authority.ts';
import { startPushBed, type PushBed } from './fixtures/push-bed.ts';

const owned = new AsyncDisposableStack();
let daemon: TestDaemon;

beforeAll(async () => {
  daemon = owned.use(await startTestDaemon());
}, 60_000);

afterAll(() => owned.disposeAsync());

describe('a real agent', { timeout: 60_000 }, () => {
  it('tells the service what it has, by its certificate', async () => {
    await using bed = await startPushBed();
    await using agent = await runAgent(bed, 'n1', await bed.authority.sign('n1'));

    await expect.poll(() => agent.conditions.at(-1), { timeout: 20_000 }).toBe('True/Reporting');

    await expect.poll(() => bed.store.reportedInstances('n1', inTime()), { timeout: 20_000 }).toBeDefined();
    const { signals, reports } = await bed.store.signals.changes(undefined, inTime());
    expect(signals.map(({ host, source }) => `${host} ${source}`)).toEqual(
      expect.arrayContaining(['n1 agent', 'n1 libvirt']),
    );
    expect(reports[0]).toMatchObject({ host: 'n1', latestBoot: { bootId: expect.any(String) } });
    expect(new Set(bed.results)).toEqual(new Set(['taken']));
  });

  it('is not heard for another node', async () => {
    await using bed = await startPushBed();
    await using agent = await runAgent(bed, 'n1', await bed.authority.sign('n2'));

    await expect.poll(() => agent.conditions.at(-1), { timeout: 20_000 }).toBe('False/ServiceUnreachable');

    expect(agent.messages.join('\n')).toContain('403');
    expect((await bed.store.signals.changes(undefined, inTime())).signals).toEqual([]);
  });
});

/** The agent of a node, with the libvirt of the test. */
async function runAgent({ port, authority }: PushBed, nodeName: string, certificate: TestCertificate) {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-agent-')));
  const session = stack.use(openSession(daemon.uri));
  const [conditions, messages]: [string[], string[]] = [[], []];
  const [metrics, logger] = [
    new MetricsRegistry(),
    createLogger({ name: 'a', destination: { write: () => undefined } }),
  ];
  const identity = { kind: 'certificate', ...certificate } as const;
  const agent = createHaAgent({
    session,
    nodeName,
    stateDirectory: path,
    settings: { service: { url: `https://127.0.0.1:${port}`, identity, authorityFile: authority.authorityFile } },
    logger,
    metrics,
    health: new HealthRegistry(),
    ignore: createIgnore(metrics, logger),
    now: () => new Date(),
    status: ({ status, reason, message }) => {
      conditions.push(`${status}/${reason}`);
      messages.push(message);
    },
  });
  const stop = new AbortController();
  const running = agent.run(stop.signal);
  stack.defer(async () => {
    stop.abort();
    await running;
  });
  const cleanUp = stack.move();
  return { conditions, messages, [Symbol.asyncDispose]: () => cleanUp.disposeAsync() };
}

function inTime(): AbortSignal {
  return AbortSignal.timeout(10_000);
}
