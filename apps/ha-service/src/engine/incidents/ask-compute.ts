import { isComputeError, type HostIdentity } from '@smalt/compute';
import type { ComputeFacts, ComputeGap, Incident, RecoveryPlan } from '@smalt/failure-detection';
import { messageOf } from '@smalt/service-runtime';

import type { WorkerContext } from './worker-context.ts';
import { readComputeFacts } from './read-compute-facts.ts';
import { readRecoveryPlan } from './reserved-hosts.ts';

/** What the compute system says about the host of an incident. */
export interface ComputeAnswer {
  /** Which of its hosts it is; undefined where that is not certain. */
  readonly identity: HostIdentity | undefined;
  /** undefined as long as it is not asked, and where it cannot tell: then `computeGap` says why. */
  readonly compute: ComputeFacts | undefined;
  readonly computeGap: ComputeGap | undefined;
  /** What the host shows of its last sign of life there. */
  readonly lifeSign: string | undefined;
  readonly plan: RecoveryPlan | undefined;
}

/** Asks the compute system about the host of an incident as soon as that matters. Rejects only when the signal fires. */
export async function askCompute(
  context: WorkerContext,
  incident: Incident,
  signal: AbortSignal,
): Promise<ComputeAnswer> {
  const { host, state } = incident;
  const look = context.latestLook();
  const cluster = look?.hosts.get(host)?.cluster;
  const identified = context.fleet.identify(host, cluster);
  const nothing = {
    identity: undefined,
    compute: undefined,
    computeGap: undefined,
    lifeSign: undefined,
    plan: undefined,
  };
  if (identified.kind === 'unknown') return { ...nothing, computeGap: identified.gap };
  const { identity } = identified;
  if (state !== 'forcing-down' && state !== 'rebuilding') {
    return { ...nothing, identity, lifeSign: context.fleet.compute.of(identity)?.lifeSign };
  }
  const lost = { identity, name: host, labels: cluster?.labels ?? {}, zone: cluster?.zone };
  try {
    const reading = await readComputeFacts(context, incident, lost, signal);
    if (reading.kind === 'gap') return { ...nothing, identity, computeGap: reading.gap };
    const plan = look && (await readRecoveryPlan(context, reading.place, look, signal));
    return { ...nothing, identity, compute: reading.compute, lifeSign: reading.lifeSign, plan };
  } catch (error) {
    if (signal.aborted) throw error;
    const { logger } = context.ports;
    logger.warn({ host, error: messageOf(error) }, 'the compute system cannot be asked about a dead host');
    return { ...nothing, identity, computeGap: gapOf(error, host) };
  }
}

/** Its own words differ each time, and would be told each time: the log has them. */
function gapOf(error: unknown, host: string): ComputeGap {
  if (isComputeError(error, 'refused')) {
    const message = `the compute system refuses to tell about ${host}: give the user of the HA service the rights of an administrator; the log has its words`;
    return { kind: 'refused', message };
  }
  if (isComputeError(error, 'not-found')) {
    const message = `the compute system does not have ${host} under the ids of its Hypervisor any more: compare both, and mend the wrong side`;
    return { kind: 'identity', message };
  }
  return { kind: 'unreachable', message: 'the compute system cannot be reached' };
}
