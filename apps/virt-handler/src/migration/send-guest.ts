import type { Clock } from '@smalt/controller-runtime';
import {
  connect,
  migrate,
  type Connection,
  type Domain,
  type KeepaliveOptions,
  type LibvirtSession,
  type MigrateDestination,
} from '@smalt/libvirt';
import type { Ignore } from '@smalt/service-runtime';

import { cutLoose } from './cut-loose.ts';
import type { MigrationPlan } from './plan-migration.ts';

export interface SendRequest {
  readonly source: LibvirtSession;
  readonly domain: Domain;
  /** The libvirt of the target. */
  readonly peerUri: string;
  readonly plan: MigrationPlan;
  /** How long a target may be silent before the guest stays. */
  readonly patience: KeepaliveOptions;
  readonly clock: Clock;
  readonly ignore: Ignore;
}

export type SendResult =
  | { readonly kind: 'sent'; readonly leftBehind: Error | undefined }
  /** `mayRunThere` is false when the target was surely not asked to let it run. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly mayRunThere: boolean };

/** Carries one guest over, and tells how that ended. The signal aborts it; the guest then stays. */
export async function sendGuest(request: SendRequest, signal: AbortSignal): Promise<SendResult> {
  const { source, domain, peerUri, plan, patience, clock, ignore } = request;
  const asked = { toRun: false };
  const over = new AbortController();
  let cutting: Promise<void> | undefined;
  try {
    await using peer = await connect(peerUri, { signal, keepalive: patience });
    const cut = (): Promise<void> => cutLoose({ daemon: source, domain, clock, ignore }, over.signal);
    void peer.closed.then(() => (cutting = cut()));
    const migration = migrate(source, noting(peer, asked), { domain, ...plan, signal });
    const moved = await migration.finally(() => over.abort());
    return { kind: 'sent', leftBehind: moved.leftBehind };
  } catch (error) {
    return { kind: 'failed', error, mayRunThere: asked.toRun };
  } finally {
    await cutting;
  }
}

/** The peer, with a note of whether it was asked to let the guest run: from then on its silence is no answer. */
function noting(peer: Connection, asked: { toRun: boolean }): MigrateDestination {
  return {
    closed: peer.closed,
    domainMigratePrepare3Params: (args, options) => peer.domainMigratePrepare3Params(args, options),
    domainMigrateFinish3Params: (args, options) => {
      if (args.cancelled === 0) asked.toRun = true;
      return peer.domainMigrateFinish3Params(args, options);
    },
  };
}
