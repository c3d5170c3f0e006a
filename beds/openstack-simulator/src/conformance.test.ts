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
    const sessions = await Promise.all(
      [real, simulated].map((cloud) => WireSession.open(cloud.endpoints, cloud.environment())),
    );

    for (const session of sessions) await exerciseCloud(session);

    const [expected = [], actual = []] = sessions.map(({ transcript }) => transcript);
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
