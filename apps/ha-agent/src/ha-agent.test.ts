import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestDaemon } from '@smalt/bed-libvirt';
import { openSession } from '@smalt/libvirt';
import { createIgnore, createLogger, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { createHaAgent } from './ha-agent.ts';
import { readUptime } from './read-uptime.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ha-agent-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

it('counts events without a service, queues nothing, says so, and can be run again', async () => {
  await using daemon = await startTestDaemon();
  await using session = openSession(daemon.uri);
  const logger = createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } });
  const [metrics, health] = [new MetricsRegistry(), new HealthRegistry()];
  const conditions: string[] = [];
  const agent = createHaAgent({
    session,
    nodeName: 'n1',
    stateDirectory: directory,
    settings: {},
    logger,
    metrics,
    health,
    ignore: createIgnore(metrics, logger),
    now: () => new Date(),
    status: ({ status, reason }) => conditions.push(`${status}/${reason}`),
  });

  for (let round = 1; round <= 2; round++) {
    const stopping = new AbortController();
    const running = agent.run(stopping.signal);
    await untilReady(health);
    const domain = await session.domainLookupByName({ name: 'test' });
    await session.domainSuspend({ domain });
    await session.domainResume({ domain });
    await untilMatch(() => metrics.expose(), new RegExp(`events_total\\{kind="lifecycle"\\} ${2 * round}\n`));
    await untilMatch(() => metrics.expose(), /instances\{state="\w+"\} 1\n/);
    stopping.abort();
    await running;
  }

  expect(conditions).toEqual(['False/NotConfigured', 'False/NotConfigured']);
  expect(existsSync(join(directory, 'ha-outbox'))).toBe(false);
  const { isHealthy } = await health.run('readyz', { signal: AbortSignal.timeout(1000) });
  expect(isHealthy).toBe(false);
});

it('reads the uptime and the boot of the host', async () => {
  mkdirSync(join(directory, 'sys/kernel/random'), { recursive: true });
  writeFileSync(join(directory, 'uptime'), '12345.67 54321.00\n');
  writeFileSync(join(directory, 'sys/kernel/random/boot_id'), 'b-1\n');

  expect(await readUptime(directory)).toEqual({ uptimeSeconds: 12_345.67, bootId: 'b-1' });
  writeFileSync(join(directory, 'uptime'), 'long\n');
  await expect(readUptime(directory)).rejects.toThrow(expect.objectContaining({ code: 'unreadable-file' }));
});

async function untilReady(health: HealthRegistry): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  while (!(await health.run('readyz', { signal })).isHealthy) await turn(signal);
}

async function untilMatch(read: () => string, pattern: RegExp): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  while (!pattern.test(read())) await turn(signal);
}

async function turn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise((resolve) => void setImmediate(resolve));
}
