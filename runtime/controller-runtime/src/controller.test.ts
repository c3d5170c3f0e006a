import type { KubernetesObject, OwnerReference } from '@smalt/kubernetes';
import { createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { describe, expect, it } from 'vitest';

import { ControllerMetrics } from './controller-metrics.ts';
import {
  Controller,
  mappedSource,
  ownedSource,
  readSource,
  source,
  type ControllerOptions,
  type ControllerSource,
} from './controller.ts';
import type { ChangeHandler } from './informer.ts';
import { ObjectCache } from './object-cache.ts';
import { done, requeueAfter } from './outcome.ts';
import { settle, TestClock } from './test-clock.ts';

describe('Controller', () => {
  it('reconciles every object that is known when it starts, and each that changes', async () => {
    const guests = new Watched();
    guests.put(guest('a', '1'));
    const seen: string[] = [];
    const world = startWorld([source(guests)], async (key) => {
      seen.push(key);
      return done;
    });
    await settle();

    guests.put(guest('b', '2'));
    guests.put(guest('a', '3'));
    await settle();

    expect(seen).toEqual(['ns/a', 'ns/b', 'ns/a']);
    await world.stop();
    expect(guests.handlers.size).toBe(0);
  });

  it('leaves out changes that cannot matter', async () => {
    const guests = new Watched();
    const seen: string[] = [];
    const onlyNew = source(guests, ({ old }) => old === undefined);
    const world = startWorld([onlyNew], async (key) => {
      seen.push(key);
      return done;
    });
    await settle();

    guests.put(guest('a', '1'));
    guests.put(guest('a', '2'));
    await settle();

    expect(seen).toEqual(['ns/a']);
    await world.stop();
  });

  it('waits until all caches are filled', async () => {
    const guests = new Watched();
    guests.put(guest('a', '1'));
    const { promise, resolve } = Promise.withResolvers<void>();
    guests.synced = promise;
    const seen: string[] = [];
    const world = startWorld([source(guests)], async (key) => {
      seen.push(key);
      return done;
    });

    await settle();
    const before = [...seen];
    resolve();
    await settle();

    expect([before, seen]).toEqual([[], ['ns/a']]);
    await world.stop();
  });

  it('tries again after a failure, later each time, until it succeeds', async () => {
    const guests = new Watched();
    guests.put(guest('a', '1'));
    const times: number[] = [];
    const world = startWorld([source(guests)], async () => {
      times.push(world.clock.monotonic());
      if (times.length < 4) throw new Error('not yet');
      return done;
    });

    await world.clock.advance(10_000);

    expect(times).toEqual([0, 5, 15, 35]);
    expect(world.log.filter((line) => line.includes('reconcile failed'))).toHaveLength(3);
    expect(JSON.parse(world.log[0] ?? '')).toMatchObject({
      controller: 'guests',
      namespace: 'ns',
      name: 'a',
      delayMs: 5,
    });
    await world.stop();
  });

  it('comes back when it is asked to', async () => {
    const times: number[] = [];
    const world = startWorld([], async () => {
      times.push(world.clock.monotonic());
      return requeueAfter(1_000);
    });

    world.controller.enqueue('a');
    await world.clock.advance(3_500);

    expect(times).toEqual([0, 1_000, 2_000, 3_000]);
    await world.stop();
  });

  it('works on as many keys at a time as it may, and never twice on one', async () => {
    let most = 0;
    const working = new Set<string>();
    const world = startWorld(
      [],
      async (key) => {
        expect(working.has(key)).toBe(false);
        working.add(key);
        most = Math.max(most, working.size);
        await world.clock.wait(10);
        working.delete(key);
        return done;
      },
      { concurrency: 3 },
    );

    for (let round = 0; round < 5; round++) {
      for (const key of ['a', 'b', 'c', 'd', 'e']) world.controller.enqueue(key);
      await world.clock.advance(7);
    }
    await world.clock.advance(1_000);

    expect(most).toBe(3);
    await world.stop();
  });

  it('fires the signal of a reconcile that takes too long', async () => {
    const reasons: unknown[] = [];
    const world = startWorld(
      [],
      async (_key, signal) => {
        await world.clock.wait(60_000, signal).catch((error: unknown) => {
          reasons.push(error);
          throw error;
        });
        return done;
      },
      { timeoutMs: 500 },
    );

    world.controller.enqueue('a');
    await world.clock.advance(501);

    expect(reasons).toEqual([expect.objectContaining({ name: 'TimeoutError', message: 'it took longer than 500 ms' })]);
    expect(world.metrics.expose()).toContain('controller_runtime_reconcile_timeouts_total{controller="guests"} 1');
    await world.stop();
  });

  it('finishes what it works on when it is stopped, and begins nothing new', async () => {
    const seen: string[] = [];
    const world = startWorld([], async (key) => {
      seen.push(`${key} begins`);
      await world.clock.wait(100);
      seen.push(`${key} ends`);
      return done;
    });
    world.controller.enqueue('a');
    world.controller.enqueue('b');
    await world.clock.advance(10);

    world.stopping.abort();
    const isIdle = world.controller.isIdle;
    await world.clock.advance(100);
    await world.running;

    expect(seen).toEqual(['a begins', 'a ends']);
    expect([isIdle, world.controller.isIdle]).toEqual([false, true]);
  });

  it('counts under the names that dashboards know', async () => {
    const world = startWorld([], async (key) => {
      if (key === 'bad') throw new Error('no');
      return key === 'good' ? done : requeueAfter(60_000);
    });
    for (const key of ['good', 'bad', 'later']) world.controller.enqueue(key);
    await settle();

    const text = world.metrics.expose();

    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'controller_runtime_reconcile_total{controller="guests",result="success"} 1',
        'controller_runtime_reconcile_total{controller="guests",result="error"} 1',
        'controller_runtime_reconcile_total{controller="guests",result="requeue"} 0',
        'controller_runtime_reconcile_total{controller="guests",result="requeue_after"} 1',
        'controller_runtime_reconcile_errors_total{controller="guests"} 1',
        'controller_runtime_terminal_reconcile_errors_total{controller="guests"} 0',
        'controller_runtime_reconcile_panics_total{controller="guests"} 0',
        'controller_runtime_reconcile_timeouts_total{controller="guests"} 0',
        'controller_runtime_reconcile_time_seconds_count{controller="guests"} 3',
        'controller_runtime_max_concurrent_reconciles{controller="guests"} 1',
        'controller_runtime_active_workers{controller="guests"} 0',
        'workqueue_depth{name="guests",controller="guests",priority="0"} 0',
        'workqueue_adds_total{name="guests",controller="guests"} 3',
        'workqueue_retries_total{name="guests",controller="guests"} 1',
        'workqueue_queue_duration_seconds_bucket{name="guests",controller="guests",le="1e-8"} 3',
        'workqueue_work_duration_seconds_count{name="guests",controller="guests"} 3',
        'workqueue_unfinished_work_seconds{name="guests",controller="guests"} 0',
        'workqueue_longest_running_processor_seconds{name="guests",controller="guests"} 0',
      ]),
    );
    await world.stop();
  });
});

describe('sources', () => {
  it('map a change to the owners before and after it', () => {
    const guests = new Watched();
    const keys: string[] = [];
    const owner = { group: 'x.dev', kind: 'Pool', isNamespaced: true };
    ownedSource(guests, owner).subscribe((key) => keys.push(key));

    guests.put(guest('a', '1', [reference('x.dev/v1', 'Pool', 'one'), reference('y.dev/v1', 'Pool', 'foreign')]));
    guests.put(guest('a', '2', [reference('x.dev/v2', 'Pool', 'two')]));
    guests.remove('ns/a');

    expect(keys).toEqual(['ns/one', 'ns/one', 'ns/two', 'ns/two']);
  });

  it('know owners of the core group and without a namespace', () => {
    const guests = new Watched();
    const keys: string[] = [];
    ownedSource(guests, { group: '', kind: 'Node', isNamespaced: false }).subscribe((key) => keys.push(key));

    guests.put(guest('a', '1', [reference('v1', 'Node', 'n1')]));

    expect(keys).toEqual(['n1']);
  });

  it('that are only read are waited for, and their changes concern nobody', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const [guests, rules] = [new Watched(), new Watched()];
    rules.synced = promise;
    guests.put(guest('a', '1'));
    const seen: string[] = [];
    const world = startWorld([source(guests), readSource(rules)], async (key) => {
      seen.push(key);
      return done;
    });
    await settle();
    const early = [...seen];

    resolve();
    await settle();
    rules.put(guest('b', '1'));
    await settle();
    await world.stop();

    expect([early, seen]).toEqual([[], ['ns/a']]);
  });

  it('map a change to any keys', () => {
    const guests = new Watched();
    const keys: string[] = [];
    mappedSource(guests, ({ key }) => [`${key}-1`, `${key}-2`]).subscribe((key) => keys.push(key));

    guests.put(guest('a', '1'));

    expect(keys).toEqual(['ns/a-1', 'ns/a-2']);
  });
});

it('refuses to come back after no time at all', () => {
  expect(() => requeueAfter(Number.NaN)).toThrow(RangeError);
  expect(() => requeueAfter(-1)).toThrow(RangeError);
});

/** A cache with handlers, as an informer has them. */
class Watched {
  readonly cache = new ObjectCache<KubernetesObject>();
  readonly handlers = new Set<ChangeHandler<KubernetesObject>>();
  synced: Promise<void> = Promise.resolve();

  whenSynced(): Promise<void> {
    return this.synced;
  }

  onChange(handler: ChangeHandler<KubernetesObject>): () => void {
    this.handlers.add(handler);
    for (const current of this.cache.list()) handler({ key: `ns/${current.metadata.name}`, old: undefined, current });
    return () => void this.handlers.delete(handler);
  }

  put(object: KubernetesObject): void {
    const change = this.cache.put(object);
    for (const handler of this.handlers) if (change !== undefined) handler(change);
  }

  remove(key: string): void {
    const change = this.cache.remove(key);
    for (const handler of this.handlers) if (change !== undefined) handler(change);
  }
}

function startWorld(
  sources: readonly ControllerSource[],
  reconcile: ControllerOptions['reconcile'],
  options: Partial<ControllerOptions> = {},
) {
  const clock = new TestClock();
  const stopping = new AbortController();
  const log: string[] = [];
  const logger = createLogger({ name: 'test', destination: { write: (line) => log.push(line) } });
  const metrics = new MetricsRegistry();
  const counters = new ControllerMetrics(metrics).forController('guests', 1);
  const controller = new Controller({ name: 'guests', sources, reconcile, ...options }, { logger, counters, clock });
  const running = controller.run(stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
  };
  return { clock, stopping, log, metrics, controller, running, stop };
}

function reference(apiVersion: string, kind: string, name: string): OwnerReference {
  return { apiVersion, kind, name, uid: name };
}

function guest(
  name: string,
  resourceVersion: string,
  ownerReferences: readonly OwnerReference[] = [],
): KubernetesObject {
  return {
    apiVersion: 'x.dev/v1',
    kind: 'Guest',
    metadata: { name, namespace: 'ns', resourceVersion, ownerReferences },
  };
}
