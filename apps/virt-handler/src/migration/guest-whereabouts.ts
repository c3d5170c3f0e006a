import {
  DomainPausedReason,
  DomainRunningReason,
  DomainShutoffReason,
  DomainState,
  type DomainGetStateResult,
} from '@smalt/libvirt';

/** What one daemon has of a guest, as far as it matters to who else may run it. */
export type Whereabouts =
  /** Its processors run, or could at any moment without anybody's doing. */
  | 'running'
  /** It stands still for another reason than a migration. */
  | 'paused'
  /** It stands still for a migration: at the source it has been sent, at the target it has not begun. */
  | 'held'
  /** Half of it is at each end. */
  | 'post-copy'
  /** Half of it is at each end, and they have lost each other. */
  | 'broken'
  /** There is a definition and no process; it may have run. */
  | 'off'
  /** The same, but it has not run: it was to begin, and libvirt could not let it. */
  | 'failed'
  | 'absent'
  /** The daemon does not answer, so nothing is known. */
  | 'unreachable';

/** Reads the state that libvirt gives for a domain. What is newer than this client counts as running: the careful guess. */
export function whereaboutsOf({ state, reason }: Pick<DomainGetStateResult, 'state' | 'reason'>): Whereabouts {
  switch (state) {
    case DomainState.shutoff:
      return reason === DomainShutoffReason.failed ? 'failed' : 'off';
    case DomainState.crashed:
      return 'off';
    case DomainState.paused:
      return pausedWhereabouts(reason);
    case DomainState.running:
      return reason === DomainRunningReason.postcopyFailed ? 'broken' : 'running';
    default:
      return 'running';
  }
}

function pausedWhereabouts(reason: number): Whereabouts {
  switch (reason) {
    case DomainPausedReason.migration:
    case DomainPausedReason.startingUp:
      return 'held';
    case DomainPausedReason.postcopy:
      return 'post-copy';
    case DomainPausedReason.postcopyFailed:
      return 'broken';
    default:
      return 'paused';
  }
}
