import { canRunOpenStack, startOpenStack } from '@smalt/bed-openstack';
import { describe, expect, it } from 'vitest';

import { exerciseCloud } from './fixtures/exercise-cloud.ts';
import { differences, shapeOf, WireSession } from './fixtures/wire-session.ts';
import { startSimulatedOpenStack } from './start-simulated-openstack.ts';

const HOSTS = ['node1', 'node10', 'node2'];

describe.runIf(await canRunOpenStack())('beside a real OpenStack', () => {
  it('gives the same answers: statuses, names and kinds of fields', { timeout: 300_000 }, async () => {
    await using real = await startOpenStack({ computes: HOSTS });
    await using simulated = await startSimulatedOpenStack({ hosts: HOSTS, newestComputeVersion: '2.93' });
    const [expecting, acting] = await Promise.all([
      WireSession.open(real.endpoints, real.environment()),
      WireSession.open(simulated.endpoints, simulated.environment()),
    ]);

    await exerciseCloud(expecting, {
      crash: (host) => real.compute(host).crash(),
      start: (host) => real.compute(host).start(),
    });
    await exerciseCloud(acting, {
      crash: async (host) => void simulated.changeHost(host, { isUp: false }),
      start: async (host) => void simulated.changeHost(host, { isUp: true }),
    });

    const [expected, actual] = [expecting.transcript, acting.transcript];
    expect(actual.map(statusLine)).toEqual(expected.map(statusLine));
    const odd = expected.flatMap(({ what, answer }, index) => {
      const other = actual[index]?.answer.body ?? null;
      return differences(shapeOf(answer.body), shapeOf(other)).map((difference) => `${what}${difference}`);
    });
    expect(odd).toEqual([]);
  });
});

function statusLine({ what, answer }: WireSession['transcript'][number]): string {
  return `${what}: ${answer.status}`;
}
