import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { keepCertificatesCurrent } from './renew-certificates.ts';

const HOUR_MS = 3_600_000;

describe('keepCertificatesCurrent', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('hands over a certificate that was renewed, and only then', async () => {
    const answers = [false, true, false];
    let handedOver = 0;
    using _keeper = keepCertificatesCurrent({
      identity: { renew: () => Promise.resolve(answers.shift() ?? false) },
      onRenewed: () => void handedOver++,
      onFailure: fail,
    });

    await vi.advanceTimersByTimeAsync(3 * HOUR_MS);

    expect({ handedOver, left: answers.length }).toEqual({ handedOver: 1, left: 0 });
  });

  it('tries again an hour after a failure, until it is disposed of', async () => {
    const failures: unknown[] = [];
    const keeper = keepCertificatesCurrent({
      identity: { renew: () => Promise.reject(new Error('disk full')) },
      onRenewed: () => fail('renewed'),
      onFailure: (error) => failures.push(error),
    });
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);

    keeper[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(2 * HOUR_MS);

    expect(failures).toHaveLength(2);
  });
});

function fail(error: unknown): never {
  throw new Error('this must not happen', { cause: error });
}
