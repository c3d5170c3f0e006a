import { isLibvirtError, type Connection, type Domain } from '@smalt/libvirt';
import type { Ignore } from '@smalt/service-runtime';

export interface Confirmation {
  readonly daemon: Pick<Connection, 'domainMigrateConfirm3Params'>;
  readonly domain: Domain;
  /** Those that the migration was begun with. */
  readonly flags: number;
  readonly hasMoved: boolean;
  readonly ignore: Ignore;
}

/**
 * Tells the source how a migration ended that it still waits to hear of: the guest goes on there, or is forgotten. A source
 * that does not wait any more has to be seen to by other means.
 */
export async function confirmMigration(confirmation: Confirmation, signal: AbortSignal): Promise<void> {
  const { daemon, domain, flags, hasMoved, ignore } = confirmation;
  const args = { domain, params: {}, cookieIn: new Uint8Array(0), flags, cancelled: hasMoved ? 0 : 1 };
  try {
    await daemon.domainMigrateConfirm3Params(args, { signal });
  } catch (error) {
    if (signal.aborted || !isLibvirtError(error)) throw error;
    ignore(error, 'the source of a migration does not wait to hear how it ended');
  }
}
