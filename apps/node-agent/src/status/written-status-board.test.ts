import { systemClock } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';
import type { Fields } from '@smalt/kube';
import { createLogger } from '@smalt/service-runtime';
import { describe, expect, it, vi } from 'vitest';

import { AGENT_FIELDS } from './status-fields.ts';
import { WrittenStatusBoard } from './written-status-board.ts';

describe('a status board', () => {
  it('makes one write of a burst, with the newest of each part', async () => {
    const world = new World();
    world.show(hypervisor('u1'));
    await using _run = world.run();

    for (let count = 1; count <= 50; count++) world.board.state('host', { fields: { numInstances: count } });
    world.board.state('other', { fields: { libVirtVersion: '9.0.0' } });
    await world.written(1);

    expect(world.writes).toEqual([{ numInstances: 50, libVirtVersion: '9.0.0', conditions: [] }]);
  });

  it('waits a while after a write, and then tells what came meanwhile', async () => {
    const world = new World();
    world.show(hypervisor('u1'));
    await using _run = world.run();
    world.board.state('host', { fields: { numInstances: 1 } });
    await world.written(1);
    const at = performance.now();

    for (let count = 2; count <= 9; count++) world.board.state('host', { fields: { numInstances: count } });
    await world.written(2);

    expect(world.writes.at(-1)).toMatchObject({ numInstances: 9 });
    expect(performance.now() - at).toBeGreaterThan(80);
    expect(world.writes).toHaveLength(2);
  });

  it('keeps the newest state while the API is away, and says once that it is', async () => {
    const world = new World();
    world.show(hypervisor('u1'));
    world.failures = 2;
    await using _run = world.run();

    world.board.state('host', { fields: { numInstances: 1 } });
    await world.attempted(1);
    world.board.state('host', { fields: { numInstances: 2 } });
    await world.written(1);

    expect(world.writes).toEqual([{ numInstances: 2, conditions: [] }]);
    expect(world.log.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(world.log.at(-1)).toMatchObject({ msg: 'the status is written again', failures: 2 });
  });

  it('waits for a Hypervisor, and tells a new one of the same name everything', async () => {
    const world = new World();
    await using _run = world.run();
    world.board.state('host', { conditions: [{ type: 'A', status: 'True', reason: 'R', message: 'm' }] });
    world.show(hypervisor('u1', '2020-01-01T00:00:00Z'));
    await world.written(1);

    world.show(undefined);
    world.show(hypervisor('u2'));
    await world.written(2);

    expect(world.writes).toMatchObject([
      { conditions: [{ type: 'A', lastTransitionTime: '2020-01-01T00:00:00Z' }] },
      { conditions: [{ type: 'A', lastTransitionTime: expect.not.stringMatching(/^2020/) }] },
    ]);
  });
});

/** An API that takes what is written, or not, and a Hypervisor that comes and goes. */
class World {
  readonly writes: Fields[] = [];
  readonly log: Readonly<Record<string, unknown>>[] = [];
  readonly board: WrittenStatusBoard;
  failures = 0;
  #attempts = 0;
  #current: Hypervisor | undefined;
  readonly #handlers = new Set<(current: Hypervisor | undefined) => void>();

  constructor() {
    const current = (): Hypervisor | undefined => this.#current;
    this.board = new WrittenStatusBoard({
      hypervisor: {
        get current() {
          return current();
        },
        onChange: (handler) => {
          this.#handlers.add(handler);
          return () => void this.#handlers.delete(handler);
        },
      },
      write: async (status) => this.#write(status),
      fields: AGENT_FIELDS,
      conditionTypes: [],
      clock: systemClock,
      logger: createLogger({ name: 'test', destination: { write: (line) => this.log.push(Object(JSON.parse(line))) } }),
      metrics: { countStatusWrite: () => undefined },
    });
  }

  show(current: Hypervisor | undefined): void {
    this.#current = current;
    for (const handler of this.#handlers) handler(current);
  }

  run(): AsyncDisposable {
    const stop = new AbortController();
    const running = this.board.run(stop.signal);
    return {
      [Symbol.asyncDispose]: async () => {
        stop.abort();
        await running;
      },
    };
  }

  async written(count: number): Promise<void> {
    await vi.waitUntil(() => this.writes.length >= count, { timeout: 5_000, interval: 5 });
  }

  async attempted(count: number): Promise<void> {
    await vi.waitUntil(() => this.#attempts >= count, { timeout: 5_000, interval: 5 });
  }

  #write(status: Fields): boolean {
    this.#attempts += 1;
    if (this.#attempts <= this.failures) throw new Error('no way to the server');
    this.writes.push(status);
    return true;
  }
}

function hypervisor(uid: string, time?: string): Hypervisor {
  const conditions = [
    { type: 'A', status: 'True', reason: 'R', message: 'm', lastTransitionTime: time ?? '' },
  ] as const;
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Hypervisor',
    metadata: { name: 'node1', uid },
    ...(time !== undefined && { status: { numInstances: 0, conditions } }),
  };
}
