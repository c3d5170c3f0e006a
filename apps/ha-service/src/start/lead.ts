import { LeaderElection, leaseKind, type LeaseHolder } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import type { Ignore, Logger } from '@smalt/service-runtime';

import { isLeadLost } from '../ha-service-error.ts';
import type { ServiceClock } from '../ports/service-clock.ts';

/** Where the Lease lives by which one of several replicas leads. */
export interface LeasePlace {
  readonly name: string;
  readonly namespace: string;
  /** Who this replica is; no two may share it. */
  readonly identity: string;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly leaseMs?: number | undefined;
  readonly renewDeadlineMs?: number | undefined;
  readonly retryMs?: number | undefined;
}

export interface LeadDeps {
  readonly client: KubeClient;
  readonly clock: ServiceClock;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly place: LeasePlace;
  readonly onChange: (isLeading: boolean) => void;
  /** Takes the question that tells who leads. */
  readonly follow: (holder: () => LeaseHolder | undefined) => void;
  /** What the leader does until its signal fires, with a question that tells whether it surely leads at this moment. */
  readonly work: (isLeading: () => boolean, signal: AbortSignal) => Promise<void>;
}

/** How long work may take to stop once the lead is lost; the lease itself is good for a second more. */
const STOP_MS = 4_000;
const PAUSE_MS = 2_000;

/**
 * Works whenever this replica leads, until the signal fires. Rejects when work does not stop in time after the lead was
 * lost: then the process must end, because another one leads by now.
 */
export async function leadWhenElected(deps: LeadDeps, signal: AbortSignal): Promise<void> {
  const { client, clock, ignore, place, onChange, follow } = deps;
  const election = new LeaderElection(client.resource(leaseKind), {
    ...place,
    onChange,
    onFailure: (error) => ignore(error, 'the lease is tried again'),
  });
  follow(() => election.holder());
  while (!signal.aborted) {
    await election.run((until) => workUntil(deps, () => election.holdsLease(), until), signal);
    if (!signal.aborted) await clock.wait(PAUSE_MS, signal).catch(() => undefined);
  }
}

/** Ends soon after its signal has fired, or rejects; an error of the work itself ends the lead in good order. */
async function workUntil({ work, logger }: LeadDeps, isLeading: () => boolean, signal: AbortSignal): Promise<void> {
  const working = work(isLeading, signal).catch((error: unknown) => {
    if (signal.aborted) return;
    if (isLeadLost(error)) logger.warn({ error }, 'another replica leads');
    else logger.error({ error }, 'leading failed; it is tried anew');
  });
  await Promise.race([working, tooLate(signal)]);
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await new Promise<void>((resolve) => setTimeout(resolve, STOP_MS).unref());
  throw new Error(`the leader did not stop within ${STOP_MS} ms after it had to: the process has to end`);
}
