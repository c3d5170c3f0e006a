import { openIncident } from '@smalt/failure-detection';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { OPERATOR, startApiBed, VIEWER, type ApiBed } from '../fixtures/api-bed.ts';

const signal = AbortSignal.timeout(60_000);

let bed: ApiBed;

beforeAll(async () => {
  bed = await startApiBed();
  bed.knownHosts.push('h1', 'h2');
  bed.opinions.set('h1', {
    judgement: { kind: 'alive', by: 'agent', lastLifeAt: 1, isRebooted: false },
    refusal: undefined,
  });
});
afterAll(() => bed[Symbol.asyncDispose]());

describe('the stream of changes', () => {
  it('begins with all there is, and goes on with what the service does', async () => {
    await using events = bed.events('/api/v1/changes', VIEWER);
    const first = await next(events);
    const about = { id: 'i1', host: 'h1', bootId: undefined, fenceMethods: ['person'] };
    const incident = openIncident({ ...about, condemnedBy: ['agent'] }, Date.now());

    await bed.store.incidents.open(incident, [], signal);
    const opened = await next(events);
    await bed.call('POST', '/api/v1/pause', { token: OPERATOR, body: { note: 'a test' } });
    const paused = await next(events);

    expect(first).toMatchObject({ isReset: true, isComplete: true, gone: [] });
    expect(keysOf(first)).toEqual(['hosts/h1', 'hosts/h2', 'status/service']);
    expect(objectOf(first, 'hosts/h1')).toMatchObject({
      kind: 'Host',
      judgement: { kind: 'alive' },
      openIncident: null,
    });
    expect(opened).toMatchObject({ isReset: false, gone: [] });
    expect(objectOf(opened, 'incidents/i1')).toMatchObject({ kind: 'Incident', host: 'h1', state: 'detected' });
    expect(objectOf(opened, 'hosts/h1')).toMatchObject({ openIncident: 'i1' });
    expect(objectOf(paused, 'status/service')).toMatchObject({ kind: 'Status', isPaused: true, isDryRun: false });
    expect(JSON.stringify(paused)).toContain('olga paused high availability: a test');
  });

  it('says nothing of a host that lives on, and at once that it does not', async () => {
    await using events = bed.events('/api/v1/changes', VIEWER);
    await next(events);
    const judge = (judgement: Parameters<ApiBed['opinions']['set']>[1]['judgement']): void => {
      const refusal = { brake: 'paused', message: 'a person has paused it', at: 5 } as const;
      bed.opinions.set('h1', { judgement, refusal: judgement.kind === 'suspect' ? refusal : undefined });
      bed.news.tell('look');
    };

    judge({ kind: 'alive', by: 'agent', lastLifeAt: 2, isRebooted: false });
    judge({ kind: 'suspect', since: 2, dead: ['agent'], missing: 'one more' });
    const suspected = await next(events);

    expect(keysOf(suspected)).toEqual(['hosts/h1', 'status/service']);
    expect(objectOf(suspected, 'hosts/h1')).toMatchObject({ judgement: { kind: 'suspect', missing: 'one more' } });
    expect(objectOf(suspected, 'status/service')).toMatchObject({ brakes: [{ brake: 'paused', hosts: ['h1'] }] });
  });

  it('tells what is gone', async () => {
    bed.knownHosts.push('h3');
    await using events = bed.events('/api/v1/changes', VIEWER);
    await next(events);

    bed.knownHosts.pop();
    bed.news.tell('look');

    expect(await next(events)).toMatchObject({ put: [], gone: ['hosts/h3'] });
  });

  it('has an incident that is open, however many came after it', async () => {
    await using history = await startApiBed();
    const about = { bootId: undefined, condemnedBy: ['agent'], fenceMethods: ['person'] } as const;
    await history.store.incidents.open(openIncident({ ...about, id: 'waits', host: 'h0' }, 1_000), [], signal);
    for (let number = 1; number <= 201; number++) {
      const later = openIncident({ ...about, id: `later-${number}`, host: 'h1' }, 1_000 + number);
      await history.store.incidents.open(later, [], signal);
      await history.store.incidents.save({ ...later, revision: 2, state: 'closed', closedAt: 2_000 }, [], signal);
    }

    await using events = history.events('/api/v1/changes', VIEWER);
    const first = await next(events);

    expect(objectOf(first, 'incidents/waits')).toMatchObject({ host: 'h0', state: 'detected' });
    expect(objectOf(first, 'hosts/h0')).toMatchObject({ openIncident: 'waits' });
  });

  it('is for those who may look', async () => {
    expect((await bed.call('GET', '/api/v1/changes', { token: 'wrong' })).status).toBe(401);
  });
});

it('tells how a host was judged', async () => {
  const known = await bed.call('GET', '/api/v1/hosts/h2/history', { token: VIEWER });
  const unknown = await bed.call('GET', '/api/v1/hosts/none/history', { token: VIEWER });

  expect(known).toMatchObject({ status: 200, body: { host: 'h2', isJudgedHere: true, judgements: [], signals: [] } });
  expect(unknown.status).toBe(404);
});

it('is in the OpenAPI, with whom one may ask on behalf of', async () => {
  const { body } = await bed.call('GET', '/api/v1/openapi.json', { token: VIEWER });

  const text = JSON.stringify(body);
  expect(body['paths']).toMatchObject({ '/api/v1/changes': {}, '/api/v1/hosts/{host}/history': {} });
  expect(text).toContain('Impersonate-User');
});

type Event = Readonly<Record<string, unknown>>;

async function next(events: AsyncGenerator<Event, void>): Promise<Event> {
  const { value } = await events.next();
  if (value === undefined) throw new Error('the stream has ended');
  return value;
}

interface Told {
  readonly metadata: { readonly namespace: string; readonly name: string };
}

function told({ put }: Event): ReadonlyMap<string, Told> {
  const objects = (Array.isArray(put) ? put : []) as readonly Told[];
  return new Map(objects.map((object) => [`${object.metadata.namespace}/${object.metadata.name}`, object]));
}

function keysOf(event: Event): readonly string[] {
  return [...told(event).keys()].toSorted();
}

function objectOf(event: Event, key: string): unknown {
  return told(event).get(key);
}
