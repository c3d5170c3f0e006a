import { openIncident, type Incident } from '@smalt/failure-detection';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { CLUSTER_TOKEN, OPERATOR, startApiBed, VIEWER, type ApiBed } from './fixtures/api-bed.ts';

const signal = AbortSignal.timeout(60_000);
let bed: ApiBed;

beforeAll(async () => {
  bed = await startApiBed();
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('who gets in', () => {
  it.each([
    { by: 'nothing', call: {}, status: 401, detail: 'the request shows no token' },
    { by: 'a wrong token', call: { token: 'wrong' }, status: 401, detail: 'this token is not known' },
    {
      by: "a viewer's token",
      call: { token: VIEWER },
      status: 403,
      detail: 'vera is a viewer, and this takes an operator',
    },
    { by: "an operator's token", call: { token: OPERATOR }, status: 200, detail: undefined },
    { by: 'a token of the cluster', call: { token: CLUSTER_TOKEN }, status: 200, detail: undefined },
  ])('by $by: $status to act', async ({ call, status, detail }) => {
    const answer = await bed.call('POST', '/api/v1/resume', { ...call, body: { note: 'a test' } });

    expect(answer.status).toBe(status);
    expect(answer.body['detail'] ?? '').toContain(detail ?? '');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    { authority: 'people', name: 'oscar', status: 200 },
    { authority: 'people', name: 'victor', status: 403 },
    { authority: 'people', name: 'mallory', status: 401 },
    // A node whose certificate has the name of an operator is still a node.
    { authority: 'agents', name: 'oscar', status: 401 },
  ] as const)('by a certificate of $authority for $name: $status to act', async ({ authority, name, status }) => {
    const certificate = await bed[authority].sign(name);

    const answer = await bed.call('POST', '/api/v1/resume', { certificate, body: { note: 'a test' } });

    expect(answer.status).toBe(status);
  });

  it('tells nobody, and no log, what the tokens are', async () => {
    await bed.call('GET', '/api/v1/status', { token: 'a-secret-guess' });
    const rules = await bed.call('GET', '/api/v1/rules', { token: VIEWER });

    const told = bed.log.join('') + JSON.stringify(rules.body);

    for (const secret of ['a-secret-guess', VIEWER, OPERATOR]) expect(told).not.toContain(secret);
  });
});

describe('a request that is wrong', () => {
  it.each([
    { path: '/api/v1/nothing', status: 404, body: { type: 'urn:smalt:ha:not-found' } },
    { path: '/api/v1/incidents?limit=0', status: 400, body: { field: 'limit' } },
    { path: '/api/v1/incidents?state=odd', status: 400, body: { field: expect.stringContaining('state') } },
    {
      path: '/api/v1/incidents/none',
      status: 404,
      body: { detail: expect.stringContaining('there is no incident none') },
    },
    { path: '/api/v1/hosts/none', status: 404, body: { detail: expect.stringContaining('there is no host none') } },
    { path: '/api/v1/hosts/BAD_NAME', status: 400, body: { field: 'host' } },
  ])('is answered with a problem: $path', async ({ path, status, body }) => {
    const answer = await bed.call('GET', path, { token: VIEWER });

    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ ...body, status, requestId: answer.headers['x-request-id'] });
  });

  it.each([
    { body: '{', status: 400 },
    { body: {}, status: 400 },
    { body: { note: 1 }, status: 400 },
    { body: { note: ' ' }, status: 422 },
    { body: { note: 'a', surplus: 1 }, status: 400 },
    { body: { note: 'a'.repeat(70_000) }, status: 413 },
  ])('is refused with $status, and changes nothing', async ({ body, status }) => {
    const answer = await bed.call('POST', '/api/v1/pause', { token: OPERATOR, body });

    expect(answer.status).toBe(status);
    expect(await bed.store.switches(signal)).toMatchObject({ isPaused: false });
  });
});

describe('the switch of a host', () => {
  it('answers as the operator expects it', async () => {
    bed.knownHosts.push('known');

    const call = (host: string, enabled: unknown) =>
      bed.call('POST', `/api/hypervisors/${host}`, { token: OPERATOR, body: { enabled } });

    expect(await call('new', true)).toMatchObject({ status: 200, body: { host: 'new', enabled: true } });
    expect(await call('new', false)).toMatchObject({ status: 200, body: { enabled: false } });
    expect(await call('known', false)).toMatchObject({ status: 200 });
    expect(await call('unknown', false)).toMatchObject({ status: 404 });
    expect(await call('known', 'yes')).toMatchObject({ status: 400, body: { field: 'enabled' } });
    expect(await bed.store.hosts.list(signal)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'new', isSwitchedOn: false }),
        expect.objectContaining({ name: 'known', isSwitchedOn: false }),
      ]),
    );
    const journal = await bed.call('GET', '/api/v1/journal?host=known', { token: VIEWER });
    expect(journal.body['items']).toMatchObject([{ by: 'olga', kind: 'person', severity: 'warning' }]);
  });

  it('needs no name where the settings say so, and nothing else does', async () => {
    await using lax = await startApiBed({ allowsAnonymousSwitch: true });

    const switched = await lax.call('POST', '/api/hypervisors/a', { body: { enabled: true } });
    const stranger = await lax.call('POST', '/api/hypervisors/a', { token: 'wrong', body: { enabled: true } });
    const paused = await lax.call('POST', '/api/v1/pause', { body: { note: 'a' } });

    expect([switched.status, stranger.status, paused.status]).toEqual([200, 401, 401]);
  });
});

describe('an incident', () => {
  it('is listed, and told with its journal', async () => {
    const incident = await open('told');

    const list = await bed.call('GET', '/api/v1/incidents?host=told&state=detected', { token: VIEWER });
    const one = await bed.call('GET', `/api/v1/incidents/${incident.id}`, { token: VIEWER });

    expect(list.body['items']).toMatchObject([{ id: incident.id, state: 'detected', needsPerson: false }]);
    expect(one.body).toMatchObject({
      host: 'told',
      condemnedBy: ['agent', 'node-lease'],
      openedAt: expect.stringMatching(/Z$/),
      journal: [{ message: 'told is condemned', kind: 'incident-opened' }],
      decisions: [],
    });
  });

  it.each([
    { change: { host: 'other' }, status: 422, field: 'host' },
    { change: { incidentId: 'other' }, status: 422, field: 'incidentId' },
    { change: { note: '  ' }, status: 422, field: 'note' },
    { change: { note: undefined }, status: 400, field: 'note' },
    { change: { host: undefined }, status: 400, field: 'host' },
  ])('is not confirmed by a slip of the hand: $field', async ({ change, status, field }) => {
    const incident = await open(
      `slip-${JSON.stringify(change)
        .replaceAll(/[^a-z]/gi, '')
        .toLowerCase()}`,
    );
    const body = { host: incident.host, incidentId: incident.id, note: 'I pulled the plug', ...change };

    const answer = await bed.call('POST', `/api/v1/incidents/${incident.id}/confirm-off`, { token: OPERATOR, body });

    expect(answer).toMatchObject({ status, body: { field } });
    expect(await bed.store.incidents.decisions(incident.id, signal)).toEqual([]);
  });

  it('is confirmed once by a person, whose name and words are kept', async () => {
    const incident = await open('confirmed');
    const body = { host: 'confirmed', incidentId: incident.id, note: 'I pulled the plug' };

    const answer = await bed.call('POST', `/api/v1/incidents/${incident.id}/confirm-off`, { token: OPERATOR, body });

    expect(answer).toMatchObject({ status: 200, body: { kind: 'host-is-off', by: 'olga' } });
    expect(await bed.store.incidents.decisions(incident.id, signal)).toMatchObject([
      { kind: 'host-is-off', host: 'confirmed', by: 'olga', note: 'I pulled the plug' },
    ]);
    const journal = await bed.call('GET', `/api/v1/journal?incident=${incident.id}&kind=person`, { token: VIEWER });
    expect(journal.body['items']).toMatchObject([
      { by: 'olga', message: expect.stringContaining('I pulled the plug') },
    ]);
  });

  it('is closed while it is open, and released once it is over and holds its host', async () => {
    const incident = await open('repaired');
    const act = async (what: string): Promise<number> =>
      (await bed.call('POST', `/api/v1/incidents/${incident.id}/${what}`, { token: OPERATOR, body: { note: 'done' } }))
        .status;

    expect(await act('release')).toBe(409);
    expect(await act('close')).toBe(200);
    const over: Incident = {
      ...incident,
      revision: 2,
      state: 'recovered',
      closedAt: Date.now(),
      outcome: 'all rebuilt',
    };
    await bed.store.incidents.save(over, [], signal);
    expect(await act('close')).toBe(409);
    expect(await act('release')).toBe(409);
    await bed.store.hosts.hold('repaired', incident.id, signal);
    expect(await act('release')).toBe(200);
    const host = await bed.call('GET', '/api/v1/hosts/repaired', { token: VIEWER });
    expect(host.body).toMatchObject({ heldBy: incident.id, openIncident: null });
  });
});

describe('the fleet', () => {
  it('is told with judgements, signals and their ages', async () => {
    const now = Date.now();
    await bed.store.signals.state([{ host: 'seen', source: 'storage', kind: 'alive', at: now - 5_000 }], signal);
    const refusal = { brake: 'blind', message: 'the service cannot reach the store', at: now } as const;
    bed.opinions.set('seen', { judgement: { kind: 'condemned', since: now, by: ['agent', 'bmc'] }, refusal });

    const one = await bed.call('GET', '/api/v1/hosts/seen', { token: VIEWER });
    const dead = await bed.call('GET', '/api/v1/hosts?judgement=condemned', { token: VIEWER });

    expect(one.body).toMatchObject({
      judgement: { kind: 'condemned', by: ['agent', 'bmc'] },
      lastRefusal: { ...refusal, at: new Date(now).toISOString() },
      signals: [{ source: 'storage', aliveAgeSeconds: expect.closeTo(5, -1) }],
    });
    expect(dead.body['items']).toMatchObject([{ name: 'seen' }]);
  });

  it('is paused, resumed and put into a dry run, each with a word in the journal', async () => {
    const act = (path: string, body: unknown) => bed.call('POST', path, { token: OPERATOR, body });

    expect(await act('/api/v1/pause', { note: 'storage work' })).toMatchObject({
      body: { isPaused: true, isDryRun: false },
    });
    expect(await act('/api/v1/dry-run', { enabled: true, note: 'a game day' })).toMatchObject({
      body: { isPaused: true, isDryRun: true, you: { name: 'olga', role: 'operator' } },
    });
    expect(await act('/api/v1/resume', { note: 'done' })).toMatchObject({ body: { isPaused: false, isDryRun: true } });
    expect(await act('/api/v1/dry-run', { enabled: false, note: 'over' })).toMatchObject({ body: { isDryRun: false } });
    const journal = await bed.call('GET', '/api/v1/journal?kind=person&limit=4', { token: VIEWER });
    expect(JSON.stringify(journal.body)).toContain('olga paused high availability: storage work');
  });

  it('tells its rules and sources', async () => {
    const rules = await bed.call('GET', '/api/v1/rules', { token: VIEWER });
    const sources = await bed.call('GET', '/api/v1/sources', { token: VIEWER });

    expect(rules.body).toMatchObject({ settings: { detection: { judgement: { signalsNeeded: 2 } } }, trouble: null });
    expect(sources.body).toMatchObject({ items: [{ name: 'agent', reachableSince: '1970-01-01T00:00:01.000Z' }] });
  });
});

it('describes itself', async () => {
  const { body } = await bed.call('GET', '/api/v1/openapi.json', { token: VIEWER });

  expect(body).toMatchObject({ openapi: '3.1.0', info: { title: 'Smalt HA service' } });
  expect(Object.keys(Object(body['paths'])).toSorted()).toEqual([
    '/api/hypervisors/{host}',
    '/api/v1/changes',
    '/api/v1/dry-run',
    '/api/v1/hosts',
    '/api/v1/hosts/{host}',
    '/api/v1/hosts/{host}/history',
    '/api/v1/incidents',
    '/api/v1/incidents/{id}',
    '/api/v1/incidents/{id}/close',
    '/api/v1/incidents/{id}/confirm-off',
    '/api/v1/incidents/{id}/release',
    '/api/v1/journal',
    '/api/v1/pause',
    '/api/v1/resume',
    '/api/v1/rules',
    '/api/v1/sources',
    '/api/v1/status',
    '/api/v1/vmoves',
  ]);
});

it('lets nobody ask too often', async () => {
  await using slow = await startApiBed({ requestsPerSecond: 1 });

  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) {
    statuses.push((await slow.call('GET', '/api/v1/status', { token: VIEWER })).status);
  }

  expect(statuses.slice(0, 2)).toEqual([200, 200]);
  expect(statuses).toContain(429);
});

it('lets those who have no name keep out nobody who has one, though they share an address', async () => {
  await using shared = await startApiBed({ requestsPerSecond: 5 });

  const refused: number[] = [];
  for (let count = 0; count < 30; count++) refused.push((await shared.call('GET', '/api/v1/status', {})).status);
  const known = await shared.call('GET', '/api/v1/status', { token: VIEWER });

  expect(new Set(refused)).toEqual(new Set([401]));
  expect(known.status).toBe(200);
});

it('takes so much from one address, and no more', async () => {
  await using slow = await startApiBed({ requestsPerSecondOfAddress: 1 });

  const statuses: number[] = [];
  for (let count = 0; count < 4; count++) statuses.push((await slow.call('GET', '/api/v1/status', {})).status);

  expect(statuses.slice(0, 2)).toEqual([401, 401]);
  expect(statuses).toContain(429);
});

async function open(host: string): Promise<Incident> {
  const about = { id: `incident-of-${host}`, host, bootId: undefined, fenceMethods: ['bmc'] };
  const incident = openIncident({ ...about, condemnedBy: ['agent', 'node-lease'] }, Date.now());
  const line = { at: Date.now(), kind: 'incident-opened', severity: 'warning', host, incidentId: incident.id } as const;
  await bed.store.incidents.open(
    incident,
    [{ ...line, instanceId: undefined, message: `${host} is condemned`, by: undefined }],
    signal,
  );
  return incident;
}
