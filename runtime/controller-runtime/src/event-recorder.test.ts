import { KubeError, type Fields } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import { EventRecorder } from './event-recorder.ts';
import { TestClock } from './test-clock.ts';

const MINUTE = 60_000;

describe('EventRecorder', () => {
  it('writes an event about an object', async () => {
    const world = startWorld();

    await world.recorder.record(guest(), 'Warning', 'NoSpace', 'the disk of a is full');

    expect(world.events()).toEqual([
      {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: expect.stringMatching(/^a\.[0-9a-f]{17}$/), namespace: 'ns' },
        involvedObject: { apiVersion: 'v1', kind: 'Guest', name: 'a', namespace: 'ns', uid: 'u', resourceVersion: '5' },
        reason: 'NoSpace',
        message: 'the disk of a is full',
        type: 'Warning',
        count: 1,
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        source: { component: 'guests', host: 'n1' },
        reportingComponent: 'guests',
        reportingInstance: 'n1',
      },
    ]);
  });

  it('counts the same event up, and only once in a while', async () => {
    const world = startWorld();
    for (let second = 0; second < 25; second += 5) {
      await world.record('Slow', 'it is slow');
      await world.clock.advance(5_000);
    }

    expect(world.events()).toMatchObject([{ count: 5, lastTimestamp: '2026-01-01T00:00:20Z' }]);
    expect(world.writes).toBe(3);
  });

  it('makes a new event when the server has forgotten the first', async () => {
    const world = startWorld();
    await world.record('Slow', 'it is slow');
    await world.clock.advance(70 * MINUTE);
    world.forget();

    await world.record('Slow', 'it is slow');
    await world.clock.advance(MINUTE);
    await world.record('Slow', 'it is slow');

    expect(world.events()).toMatchObject([{ count: 2, firstTimestamp: '2026-01-01T01:10:00Z' }]);
  });

  it('keeps one object from flooding the rest', async () => {
    const world = startWorld();
    for (let index = 0; index < 100; index++) await world.record('Loop', `round ${index}`);

    await world.recorder.record(guest('b', 'other'), 'Normal', 'Fine', 'b is fine');
    const burst = world.events().length;
    await world.clock.advance(5 * MINUTE);
    await world.record('Loop', 'round 101');
    await world.record('Loop', 'round 102');

    expect([burst, world.events().length]).toEqual([26, 27]);
  });

  it('puts events about objects without a namespace into default', async () => {
    const world = startWorld();
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n'.repeat(253), uid: 'u' } };

    await world.recorder.record(node, 'Normal', 'Up', 'x'.repeat(5_000));

    const [event] = world.events();
    expect(event).toMatchObject({ metadata: { namespace: 'default' }, message: 'x'.repeat(1024) });
    expect(event?.metadata.name.length).toBeLessThanOrEqual(253);
  });

  it('tells of what could not be written and goes on', async () => {
    const world = startWorld();
    world.fail = new KubeError('connection', 'no way');
    await world.record('Slow', 'it is slow');
    world.fail = undefined;
    await world.clock.advance(MINUTE);

    await world.record('Slow', 'it is slow');

    expect(world.failures).toEqual([expect.objectContaining({ code: 'connection' })]);
    expect(world.events()).toHaveLength(1);
  });
});

interface Stored extends KubernetesObject {
  readonly count: number;
}

function startWorld() {
  const clock = new TestClock();
  const stored = new Map<string, Stored>();
  const failures: unknown[] = [];
  const write = <T>(act: () => T): T => {
    if (world.fail !== undefined) throw world.fail;
    world.writes++;
    return act();
  };
  const client = {
    create: async (event: Fields) => write(() => put(event as unknown as Stored)),
    patch: async (name: string, _type: string, fields: Fields | readonly Fields[]) =>
      write(() => {
        const known = stored.get(name);
        if (known === undefined) throw new KubeError('not-found', 'gone');
        return put(Object.assign({}, known, fields));
      }),
  };
  const put = (event: Stored): never => {
    stored.set(event.metadata.name, event);
    return event as never;
  };
  const onFailure = (error: unknown): void => void failures.push(error);
  const recorder = new EventRecorder(client, { component: 'guests', host: 'n1', clock, onFailure });
  const world = {
    clock,
    recorder,
    failures,
    writes: 0,
    fail: undefined as Error | undefined,
    events: () => [...stored.values()],
    forget: () => stored.clear(),
    record: (reason: string, message: string) => recorder.record(guest(), 'Normal', reason, message),
  };
  return world;
}

function guest(name = 'a', uid = 'u'): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Guest', metadata: { name, namespace: 'ns', uid, resourceVersion: '5' } };
}
