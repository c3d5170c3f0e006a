import { KubeError } from '@smalt/kube';
import { createLogger, untilAborted } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import type { LeaseClient } from '../leader-election.ts';
import type { Lease } from '../lease.ts';
import { TestClock } from '../test-clock.ts';
import { ownIdentity, printIdentity } from './agent-identity.ts';
import { NodeClaim } from './node-claim.ts';

const LOOK_MS = 1_000;
const RETRY_MS = 2_000;
const OTHER = 'elsewhere pid 7 since 2026-01-01T00:00:00Z (boot/1 1 a1)';

it('keeps a Lease that it gets while it still finds out whether the holder has ended', async () => {
  const clock = new TestClock();
  const leases = new OneLease(OTHER);
  const identity = await ownIdentity(new Date(clock.now()));
  const looks: PromiseWithResolvers<boolean>[] = [];
  let isActing = false;
  const claim = new NodeClaim(leases, {
    name: 'node',
    namespace: 'default',
    identity,
    times: { leaseMs: 300_000, renewDeadlineMs: 240_000, retryMs: RETRY_MS, renewMs: 120_000 },
    hasEnded: async () => {
      const look = Promise.withResolvers<boolean>();
      looks.push(look);
      return await look.promise;
    },
    clock,
    logger: createLogger({ name: 'test', level: 'silent', destination: process.stderr }),
    onObstacle: () => undefined,
    onFailure: (error) => expect.fail(String(error)),
  });
  const stop = new AbortController();
  const report = async (signal: AbortSignal): Promise<void> => {
    isActing = true;
    await untilAborted(signal);
    isActing = false;
  };

  const ended = claim.run(report, stop.signal);
  await clock.advance(0);
  looks[0]?.resolve(false);
  await clock.advance(LOOK_MS);
  await clock.advance(RETRY_MS);
  const [, ofWatch, ofTry] = looks;
  ofTry?.resolve(true);
  await clock.advance(0);
  ofWatch?.resolve(true);
  await clock.advance(0);
  const after = { isActing, holders: [...leases.holders] };
  stop.abort();
  await ended;

  expect(after).toEqual({ isActing: true, holders: [OTHER, printIdentity(identity)] });
});

/** A Lease that somebody holds, and all that have held it since. */
class OneLease implements LeaseClient {
  readonly holders: string[] = [];
  #lease: Lease;

  constructor(holderIdentity: string) {
    const metadata = { name: 'node', namespace: 'default', resourceVersion: '1' };
    const spec = { holderIdentity, leaseDurationSeconds: 300 };
    this.#lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec };
    this.holders.push(holderIdentity);
  }

  async get(): Promise<Lease> {
    return this.#lease;
  }

  async create(): Promise<Lease> {
    throw new KubeError('already-exists', 'there is one');
  }

  async replace(lease: Lease): Promise<Lease> {
    this.#lease = lease;
    this.holders.push(lease.spec.holderIdentity ?? '');
    return lease;
  }
}
