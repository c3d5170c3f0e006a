import type { Incident, RebuildRecord, RebuildState, WaitReason } from '@smalt/failure-detection';

/** What became of an order to power off. */
export const FenceResult = {
  ordered: 'ordered',
  proved: 'proved',
  confirmed: 'confirmed',
  failed: 'failed',
} as const;
export type FenceResult = (typeof FenceResult)[keyof typeof FenceResult];

export const EvacuationResult = {
  asked: 'asked',
  succeeded: 'succeeded',
  failed: 'failed',
  ignored: 'ignored',
} as const;
export type EvacuationResult = (typeof EvacuationResult)[keyof typeof EvacuationResult];

/** What happened between two revisions of an incident, one word for each. */
export interface IncidentCounts {
  readonly fences: readonly FenceResult[];
  readonly evacuations: readonly EvacuationResult[];
}

/** The part of an incident that is counted. */
export interface CountedIncident extends Pick<Incident, 'fences' | 'proof' | 'wait'> {
  readonly instances: readonly Pick<RebuildRecord, 'id' | 'state' | 'attempts'>[];
}

/** Waits that say that fencing did not work. */
const FENCE_FAILURES = new Set<WaitReason>(['no-proof', 'no-fence-method', 'alive-after-fence', 'contradiction']);

/** Counts what is new in an incident. */
export function incidentCounts(before: CountedIncident, after: CountedIncident): IncidentCounts {
  const orders = Math.max(0, after.fences.length - before.fences.length);
  const isFailure = after.wait !== undefined && FENCE_FAILURES.has(after.wait.reason);
  const isNewFailure = isFailure && after.wait.reason !== before.wait?.reason;
  return {
    fences: [
      ...Array.from({ length: orders }, () => FenceResult.ordered),
      ...proofOf(before, after),
      ...(isNewFailure ? [FenceResult.failed] : []),
    ],
    evacuations: evacuationsOf(before, after),
  };
}

function proofOf(before: CountedIncident, after: CountedIncident): readonly FenceResult[] {
  if (after.proof === undefined || after.proof.kind === before.proof?.kind) return [];
  return [after.proof.kind === 'person' ? FenceResult.confirmed : FenceResult.proved];
}

function evacuationsOf(before: CountedIncident, after: CountedIncident): readonly EvacuationResult[] {
  const states = new Map(before.instances.map((record) => [record.id, record]));
  return after.instances.flatMap(({ id, state, attempts }) => {
    const old = states.get(id);
    const asked = Math.max(0, attempts - (old?.attempts ?? 0));
    const end = state === old?.state ? undefined : resultOf(state);
    return [...Array.from({ length: asked }, () => EvacuationResult.asked), ...(end === undefined ? [] : [end])];
  });
}

function resultOf(state: RebuildState): EvacuationResult | undefined {
  switch (state) {
    case 'rebuilt':
      return EvacuationResult.succeeded;
    case 'failed':
      return EvacuationResult.failed;
    case 'gone':
    case 'skipped':
      return EvacuationResult.ignored;
    case 'pending':
    case 'asked':
      return undefined;
  }
}
