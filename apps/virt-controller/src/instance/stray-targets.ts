import { WellKnownName } from '@smalt/vm-api';
import { currentPod, type InstanceAction, type InstanceFacts } from '@smalt/vm-lifecycle';

/**
 * The pods of migrations that are gone, such as one that was deleted by force: nobody else would let them go. One that an
 * instance may be on its way to stays until the source has told how that ended.
 */
export function strayTargets(
  facts: Pick<InstanceFacts, 'vmi' | 'pods'>,
  isKnown: (migrationUid: string) => boolean,
): readonly InstanceAction[] {
  const current = currentPod(facts);
  const state = facts.vmi.status?.migrationState;
  const open = state !== undefined && state.completed !== true ? state.targetPod : undefined;
  return facts.pods
    .filter(({ metadata }) => {
      const uid = metadata.labels?.[WellKnownName.migrationJobLabel];
      return uid !== undefined && !isKnown(uid) && metadata.deletionTimestamp === undefined && metadata.name !== open;
    })
    .filter((pod) => pod !== current)
    .map(({ metadata }) => ({ kind: 'delete-pod', name: metadata.name, uid: metadata.uid, isForced: false }));
}
