import { startSimulatedOpenStack } from '@smalt/bed-openstack-simulator';
import { loadCloudConfig } from '@smalt/openstack';
import { defaultOpenStackComputeSettings, openOpenStackCompute } from '@smalt/openstack-compute';
import { createLogger } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import type { EnginePorts } from '../../ports/engine-ports.ts';
import type { ActionContext } from './action-context.ts';
import { carryOut } from './carry-out.ts';
import { engineSettings } from '../fixtures/engine-bed.ts';
import { incident, rebuild } from '../fixtures/engine-builders.ts';
import { ManualClock } from '../fixtures/manual-clock.ts';
import { IncidentMemory } from './incident-memory.ts';

const EVACUATE = /^compute POST .*[/]action$/u;

it.each([
  { case: 'leaves when nothing stood still', sleptMs: 0, requests: 1, answer: 'accepted' },
  {
    case: 'never leaves a process that slept between two of its questions',
    sleptMs: 60_000,
    requests: 0,
    answer: 'unknown',
  },
])('an evacuation $case', async ({ sleptMs, requests, answer }) => {
  await using cloud = await startSimulatedOpenStack({ hosts: ['n1', 'n2'] });
  const server = cloud.addServer('n1', { name: 'web' });
  cloud.changeHost('n1', { isUp: false });
  const config = await loadCloudConfig({ environment: cloud.environment() });
  await using compute = openOpenStackCompute({
    config,
    userAgent: 'test/1',
    settings: { ...defaultOpenStackComputeSettings, listingMs: 0 },
  });
  await compute.hosts.find('n2', new AbortController().signal);
  const clock = new ManualClock();
  const asked = incident({ instances: [rebuild(server, { state: 'asked', asks: 1, attempts: 1 })] });
  const memory = new IncidentMemory();
  // The answer to its first question is under way when the machine falls asleep; no timer has told it when it wakes.
  cloud.setLatency(100);
  const ordered = carryOut(
    contextOf({ clock, compute }, asked, memory),
    { kind: 'evacuate', instanceId: server, target: 'n2' },
    new AbortController().signal,
  );

  clock.wallOffsetMs = sleptMs;
  await ordered;

  expect(cloud.countOf(EVACUATE)).toBe(requests);
  expect(memory.recall(asked).evacuationAnswers.get(server)?.kind).toBe(answer);
});

function contextOf(
  outside: Pick<EnginePorts, 'clock' | 'compute'>,
  asked: ActionContext['incident'],
  memory: IncidentMemory,
): ActionContext {
  const logger = createLogger({ name: 'test', destination: { write: () => undefined } });
  const ports = { ...outside, logger } as unknown as EnginePorts;
  const rest = { background: undefined, book: undefined, suspects: undefined, identity: undefined };
  const context = { ports, settings: engineSettings, incident: asked, memory, onAnswer: () => undefined, ...rest };
  return context as unknown as ActionContext;
}
