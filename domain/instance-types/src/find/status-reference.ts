import type { InstancetypeMatcher, InstancetypeStatusRef } from '@smalt/vm-api';

import { isSaid } from '../apply/conflict.ts';

/** What the status of a machine says of its choice, and whether a revision has still to be made for it. */
export interface StatusReference {
  readonly reference: InstancetypeStatusRef;
  readonly needsRevision: boolean;
}

/**
 * The status that goes with a choice. As long as the choice stays, so does the revision: a later change of the object
 * does not change the machine.
 */
export function statusReference(
  matcher: InstancetypeMatcher,
  known: InstancetypeStatusRef | null | undefined,
): StatusReference {
  const { name, kind, inferFromVolume, inferFromVolumeFailurePolicy, revisionName } = matcher;
  const hasChanged =
    isOther(name, known?.name) || isOther(kind, known?.kind) || isOther(inferFromVolume, known?.inferFromVolume);
  const { controllerRevisionRef: pinned, ...rest } = known ?? {};
  const kept = hasChanged ? undefined : pinned;
  const revision = isSaid(revisionName) ? { name: revisionName } : kept;
  const reference = {
    ...rest,
    ...(isSaid(name) ? { name } : {}),
    ...(isSaid(kind) ? { kind } : {}),
    ...(isSaid(inferFromVolume) ? { inferFromVolume } : {}),
    ...(inferFromVolumeFailurePolicy === undefined ? {} : { inferFromVolumeFailurePolicy }),
    ...(isSaid(revision?.name) ? { controllerRevisionRef: { name: revision.name } } : {}),
  };
  return { reference, needsRevision: !isSaid(revision?.name) };
}

function isOther(wanted: string | undefined, is: string | undefined): boolean {
  return isSaid(wanted) && wanted !== is;
}
