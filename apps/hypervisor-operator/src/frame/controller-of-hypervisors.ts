import {
  catchUp,
  done,
  type ControllerOptions,
  type ControllerSource,
  type ObjectKey,
  type Outcome,
} from '@smalt/controller-runtime';
import { hypervisorKind, type Hypervisor, type HypervisorConditionType, type HypervisorStatus } from '@smalt/fleet-api';

import { OwnedStatus, type Statement } from './owned-status.ts';
import type { OperatorContext } from '../operator-context.ts';
import { PacedHypervisors } from './paced-hypervisors.ts';

/** How soon to look again when the cache has not had the last write yet. */
const CATCH_UP_MS = 20;
/** How often to look whether the cache has caught up, before that is a failure too. */
const CATCH_UP_LOOKS = 100;
/** The longest pause after failures: a cloud that is back should not wait for its hosts. */
const LONGEST_BACK_OFF_MS = 60_000;

/** One look at one hypervisor. */
export interface HypervisorPass {
  readonly hypervisor: Hypervisor;
  readonly signal: AbortSignal;
  /** States all that the controller owns of the status. Returns whether anything was written. */
  readonly state: (statement: Statement) => Promise<boolean>;
}

export interface HypervisorControllerOptions {
  /** The name of the controller, which owns its fields under it. */
  readonly name: string;
  /** The conditions that only this controller writes. */
  readonly conditionTypes: readonly HypervisorConditionType[];
  /** The other fields of the status that it may write. */
  readonly fieldNames?: readonly (keyof HypervisorStatus)[];
  readonly concurrency: number;
  /** What else makes a hypervisor worth a look; keys are names of hypervisors. */
  readonly sources?: readonly ControllerSource[];
  readonly timeoutMs?: number | undefined;
  readonly reconcile: (pass: HypervisorPass) => Promise<Outcome>;
}

export type HypervisorControllerContext = Pick<OperatorContext, 'client' | 'hypervisors' | 'recorder' | 'clock'>;

/** A controller of hypervisors: it gets those that exist, are not being deleted, and are as it last left them. */
export function hypervisorController(
  context: HypervisorControllerContext,
  {
    name,
    conditionTypes,
    fieldNames = [],
    concurrency,
    sources = [],
    timeoutMs,
    reconcile,
  }: HypervisorControllerOptions,
): ControllerOptions {
  const { client, hypervisors, recorder, clock } = context;
  const status = new OwnedStatus({
    client: client.resource(hypervisorKind),
    informer: hypervisors,
    recorder,
    clock,
    owner: name,
    conditionTypes,
    fieldNames,
  });
  const paced = new PacedHypervisors(hypervisors, { conditionTypes, fieldNames });
  return {
    name,
    concurrency,
    timeoutMs,
    backOff: { longestMs: LONGEST_BACK_OFF_MS },
    sources: [paced, ...sources],
    reconcile: async (key, signal) => {
      // To come back later would end the back-off of one that fails.
      if (paced.isFailing(key)) await waitForCache(status, context, key, signal);
      const hypervisor = hypervisors.cache.get(key);
      if (hypervisor === undefined || hypervisor.metadata.deletionTimestamp !== undefined) return done;
      if (!status.hasSeen(hypervisor)) return catchUp;
      return await paced.pass(key, () => look(status, hypervisor, signal, reconcile));
    },
  };
}

/** Waits until the cache has what was stated last. */
async function waitForCache(
  status: OwnedStatus<Hypervisor>,
  { hypervisors, clock }: HypervisorControllerContext,
  key: ObjectKey,
  signal: AbortSignal,
): Promise<void> {
  for (let looks = 0; looks < CATCH_UP_LOOKS; looks++) {
    const hypervisor = hypervisors.cache.get(key);
    if (hypervisor === undefined || status.hasSeen(hypervisor)) return;
    await clock.wait(CATCH_UP_MS, signal);
  }
  throw new Error(`the cache does not have the last statement about ${key} yet: is the API server slow?`);
}

async function look(
  status: OwnedStatus<Hypervisor>,
  hypervisor: Hypervisor,
  signal: AbortSignal,
  reconcile: HypervisorControllerOptions['reconcile'],
): Promise<Outcome> {
  let isSettled = true;
  const state = async (statement: Statement): Promise<boolean> => {
    const isWritten = await status.state(hypervisor, statement, signal);
    isSettled = !isWritten || !status.hasMore(hypervisor, statement);
    return isWritten;
  };
  const outcome = await reconcile({ hypervisor, signal, state });
  // Whether all that is not stated any more went is known only when the cache has the write.
  return isSettled || outcome.kind !== 'done' ? outcome : catchUp;
}
