import { MigrationPhase, type VirtualMachineInstanceMigration } from '@smalt/vm-api';

/** How far a migration is, as its object says. */
export type MigrationStep =
  | { readonly kind: 'waiting'; readonly text: string }
  | { readonly kind: 'moving'; readonly text: string }
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string };

const WAITING: Readonly<Record<string, string>> = {
  [MigrationPhase.unset]: 'waits for its turn',
  [MigrationPhase.pending]: 'waits for its turn',
  [MigrationPhase.scheduling]: 'a host is being looked for',
  [MigrationPhase.scheduled]: 'has a host to go to',
  [MigrationPhase.preparingTarget]: 'its disks and networks are being made there',
  [MigrationPhase.targetReady]: 'all is ready there',
};

/** Puts the phase of a migration into words. */
export function decideMigration({ status }: VirtualMachineInstanceMigration): MigrationStep {
  const { phase = '', migrationState: state = {}, conditions = [] } = status ?? {};
  const way = [state.sourceNode ?? '', state.targetNode ?? ''].filter((each) => each !== '').join(' → ');
  if (phase === MigrationPhase.succeeded) return { kind: 'done', text: way === '' ? 'has moved' : `has moved, ${way}` };
  if (phase === MigrationPhase.failed) {
    return { kind: 'failed', text: state.failureReason ?? 'nobody says why: see kubectl describe vmim' };
  }
  const words = WAITING[phase];
  if (words === undefined) return { kind: 'moving', text: way };
  const held = conditions.find(({ status: isTrue, message }) => isTrue === 'True' && (message ?? '') !== '')?.message;
  return { kind: 'waiting', text: held === undefined ? words : `${words}: ${held}` };
}
