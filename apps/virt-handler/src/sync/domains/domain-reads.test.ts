import { setImmediate } from 'node:timers/promises';

import type { Domain } from '@smalt/libvirt';
import { describe, expect, it } from 'vitest';

import { DomainReads } from './domain-reads.ts';
import { SilentDomains } from './silent-domains.ts';

describe('DomainReads', () => {
  it('asks four at a time, and nobody waits for those that do not answer', async () => {
    const daemon = new StandIn();
    const settled: string[] = [];
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const reads = names.map((name) => daemon.reads.ask(domain(name)));
    for (const [index, { soon }] of reads.entries()) void soon.then(() => settled.push(names[index] ?? ''));

    daemon.answer('a');
    await setImmediate();
    const asked = [...daemon.asked];
    daemon.beLate();
    await setImmediate();

    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(settled).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(daemon.late).toEqual(['b', 'c', 'd', 'e', 'f']);
    expect(daemon.reads.isAwaited('f')).toBe(true);

    daemon.answer('b');
    await reads[1]?.done;
    await setImmediate();

    expect(daemon.asked).toEqual([...names]);
  });

  it('asks once more for all who asked while it was asking, and tells each of a failure', async () => {
    const daemon = new StandIn();
    const [first, second, third] = [1, 2, 3].map(() => daemon.reads.ask(domain('a')).done);

    daemon.fail('a', new Error('busy'));
    await expect(first).rejects.toThrow('busy');
    await setImmediate();
    daemon.answer('a');
    await Promise.all([second, third]);

    expect(daemon.asked).toEqual(['a', 'a']);
    expect(daemon.reads.isAwaited('a')).toBe(false);
  });
});

describe('SilentDomains', () => {
  it.each([
    ['error', [1_000, 2_000, 4_000]],
    ['timeout', [60_000, 120_000, 240_000]],
    ['late', [Infinity, Infinity, Infinity]],
  ] as const)('asks again after an %s in %j', (silence, pauses) => {
    const time = { now: 5 };
    const silent = new SilentDomains({ monotonic: () => time.now });

    const seen = pauses.map(() => {
      silent.add(domain('a'), 'default/a', silence);
      const { nextMs } = silent;
      if (Number.isFinite(nextMs)) time.now += nextMs;
      return { nextMs, due: silent.takeDue().length };
    });

    expect(seen).toEqual(pauses.map((nextMs) => ({ nextMs, due: nextMs === Infinity ? 0 : 1 })));
    expect(silent.find('default/a')?.since).toBe(5);
    expect(silent.nextMs).toBe(Infinity);
  });
});

/** A daemon that answers when it is told to, and a clock that goes on when it is told to. */
class StandIn {
  readonly asked: string[] = [];
  readonly late: string[] = [];
  readonly reads: DomainReads;
  readonly #answers = new Map<string, PromiseWithResolvers<void>>();
  readonly #timers = new Set<() => void>();

  constructor() {
    this.reads = new DomainReads({
      clock: {
        later: (_, run) => {
          this.#timers.add(run);
          return () => void this.#timers.delete(run);
        },
      },
      read: async ({ name }) => {
        this.asked.push(name);
        const answer = Promise.withResolvers<void>();
        this.#answers.set(name, answer);
        await answer.promise;
      },
      onLate: ({ name }) => {
        if (!this.late.includes(name)) this.late.push(name);
      },
    });
  }

  answer(name: string): void {
    this.#answers.get(name)?.resolve();
  }

  fail(name: string, error: Error): void {
    this.#answers.get(name)?.reject(error);
  }

  beLate(): void {
    for (const run of this.#timers) run();
  }
}

function domain(name: string): Domain {
  return { name, uuid: name, id: 1 };
}
