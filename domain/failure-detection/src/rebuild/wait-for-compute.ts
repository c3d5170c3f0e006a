import { waitFor } from '../incident/incident-change.ts';
import type { Incident, WaitReason } from '../incident/incident.ts';
import type { ComputeGap, NextSteps } from '../incident/incident-facts.ts';

const REASONS: Readonly<Record<ComputeGap['kind'], WaitReason>> = {
  unreachable: 'compute-unreachable',
  identity: 'compute-identity',
  refused: 'compute-refused',
};

/** Waits because nothing is known of the host in the compute system, and says why that is. */
export function waitForCompute(incident: Incident, gap: ComputeGap | undefined): NextSteps {
  const { kind, message } = gap ?? { kind: 'unreachable', message: 'the compute system cannot be reached' };
  return waitFor(incident, REASONS[kind], message);
}
