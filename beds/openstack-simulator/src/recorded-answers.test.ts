import { readFile } from 'node:fs/promises';

import type { JsonValue } from '@smalt/json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { exerciseCloud } from './fixtures/exercise-cloud.ts';
import { differences, shapeOf, WireSession, type WireAnswer } from './fixtures/wire-session.ts';
import type { SimulatedOpenStack } from './simulated-openstack.ts';
import { startSimulatedOpenStack } from './start-simulated-openstack.ts';

const RECORDINGS = new URL('../../../clients/openstack/src/fixtures/', import.meta.url);

let cloud: SimulatedOpenStack;
let answers: ReadonlyMap<string, WireAnswer>;

beforeAll(async () => {
  cloud = await startSimulatedOpenStack({ hosts: ['node1', 'node10', 'node2'] });
  const session = await WireSession.open(cloud.endpoints, cloud.environment());
  await exerciseCloud(session, {
    crash: async (host) => void cloud.changeHost(host, { isUp: false }),
    start: async (host) => void cloud.changeHost(host, { isUp: true }),
  });
  answers = new Map(session.transcript.map(({ what, answer }) => [what, answer]));
});

afterAll(async () => {
  await cloud[Symbol.asyncDispose]();
});

describe('what a real OpenStack was recorded to answer is what the simulated one answers', () => {
  it.each([
    ['auth-02-token-project', 'a login'],
    ['auth-21-nova-expired-token-401', 'a token that is none'],
    ['mv-02-too-new-406', 'a version that is too new'],
    ['errors-03-unknown-method-404', 'a method that is none'],
    ['services-03-list-one-host', 'a service'],
    ['services-04-disable-with-reason', 'disabling'],
    ['services-08-enable-with-reason-400', 'enabling with a reason'],
    ['services-19-delete-with-servers-409', 'deleting a service with servers'],
    ['hypervisors-01-list-2.93', 'hypervisors'],
    ['hypervisors-03-detail-2.53', 'hypervisors by pattern'],
    ['hypervisors-08-pattern-no-match-404', 'a pattern without a match'],
    ['aggregates-01-create', 'an aggregate'],
    ['aggregates-03-add-host', 'joining'],
    ['aggregates-04-add-host-again-409', 'joining twice'],
    ['aggregates-06-set-metadata', 'metadata'],
    ['aggregates-08-list', 'aggregates'],
    ['aggregates-14-remove-host', 'leaving'],
    ['aggregates-16-delete-200', 'deleting an aggregate'],
    ['servers-03-create-on-host-2.74', 'a server'],
    ['servers-10-show', 'the server'],
    ['servers-11-detail-by-host', 'servers of a host'],
    ['servers-15-missing-404', 'an unknown server'],
    ['servers-16-delete-204', 'deleting a server'],
    ['paging-01-first', 'a page of servers'],
    ['actions-01-console-output', 'a console'],
    ['actions-03-stop-stopped-409', 'stopping what is off'],
    ['livemigration-01-start-202', 'a live migration'],
    ['livemigration-02-while-migrating-409', 'a second live migration'],
    ['coldmigration-03-confirm-204', 'confirming'],
    ['placement-01-provider-by-name', 'a provider by name'],
    ['placement-02-provider', 'a provider'],
    ['placement-04-inventories', 'its inventories'],
    ['placement-05-usages', 'its usages'],
    ['placement-06-allocations-of-provider', 'its allocations'],
    ['placement-07-allocations-of-server', 'allocations'],
    ['placement-08-trait-create-201', 'a new trait'],
    ['placement-11-traits-get', 'its traits'],
    ['placement-13-traits-stale-generation-409', 'traits of before'],
    ['placement-16-allocation-candidates', 'candidates'],
    ['placement-20-provider-delete-in-use-409', 'deleting a provider in use'],
    ['placement-27-allocation-delete-missing-404', 'deleting no allocations'],
  ])('%s', async (name, what) => {
    const recorded = await recording(name);
    const answer = answers.get(what);

    expect(answer?.status).toBe(recorded.status);
    expect(differences(shapeOf(recorded.body), shapeOf(answer?.body ?? null))).toEqual([]);
  });
});

async function recording(name: string): Promise<WireAnswer> {
  const text = await readFile(new URL(`${name}.json`, RECORDINGS), 'utf8');
  const { response } = JSON.parse(text) as { response: { status: number; body: JsonValue } };
  return response;
}
