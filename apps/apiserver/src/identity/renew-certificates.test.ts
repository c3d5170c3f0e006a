import { describe, expect, it } from 'vitest';

import { keepCertificatesCurrent } from './renew-certificates.ts';

const HOUR_MS = 3_600_000;

describe('keepCertificatesCurrent', () => {
  it('hands over a certificate that was renewed, and only then', async () => {
    const answers = [false, true, false];
    let handedOver = 0;
    const clock = new Repeater();
    using _keeper = keepCertificatesCurrent({
      identity: { renew: () => Promise.resolve(answers.shift() ?? false) },
      onRenewed: () => void handedOver++,
      onFailure: fail,
      repeat: clock.repeat,
    });

    await clock.pass(3 * HOUR_MS);

    expect({ handedOver, left: answers.length }).toEqual({ handedOver: 1, left: 0 });
  });

  it('tries again an hour after a failure, until it is disposed of', async () => {
    const failures: unknown[] = [];
    const clock = new Repeater();
    const keeper = keepCertificatesCurrent({
      identity: { renew: () => Promise.reject(new Error('disk full')) },
      onRenewed: () => fail('renewed'),
      onFailure: (error) => failures.push(error),
      repeat: clock.repeat,
    });
    await clock.pass(2 * HOUR_MS);

    keeper[Symbol.dispose]();
    await clock.pass(2 * HOUR_MS);

    expect(failures).toHaveLength(2);
  });
});

/** Time that passes when the test says so. */
class Repeater {
  #everyMs = Number.POSITIVE_INFINITY;
  #run: () => Promise<void> = () => Promise.resolve();

  readonly repeat = (everyMs: number, run: () => Promise<void>): (() => void) => {
    this.#everyMs = everyMs;
    this.#run = run;
    return () => {
      this.#everyMs = Number.POSITIVE_INFINITY;
    };
  };

  async pass(milliseconds: number): Promise<void> {
    const times = Math.floor(milliseconds / this.#everyMs);
    for (let time = 0; time < times; time++) await this.#run();
  }
}

function fail(error: unknown): never {
  throw new Error('this must not happen', { cause: error });
}
