import type { Clock } from '@smalt/controller-runtime';
import {
  isConnectionLost,
  migrate,
  type Connection,
  type Domain,
  type LibvirtSession,
  type MigrateDestination,
} from '@smalt/libvirt';
import { messageOf, type Ignore } from '@smalt/service-runtime';

import { VirtHandlerError } from '../virt-handler-error.ts';
import { cutLoose } from './cut-loose.ts';
import type { MigrationPlan } from './plan-migration.ts';

export interface SendRequest {
  readonly source: LibvirtSession;
  readonly domain: Domain;
  /** Connects to the libvirt of the target. */
  readonly openPeer: (signal: AbortSignal) => Promise<Connection>;
  readonly plan: MigrationPlan;
  readonly clock: Clock;
  readonly ignore: Ignore;
}

export type SendResult =
  | { readonly kind: 'sent'; readonly leftBehind: Error | undefined }
  /** `mayRunThere` is false when the target was surely not asked to let it run. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly mayRunThere: boolean };

/** A peer that is lost is noticed sooner, by the usual patience; one that hangs must not keep anybody from giving up. */
const HEARD_MS = 15_000;

/** Carries one guest over, and tells how that ended. The signal aborts it; the guest then stays. */
export async function sendGuest(request: SendRequest, signal: AbortSignal): Promise<SendResult> {
  const { source, domain, openPeer, plan, clock, ignore } = request;
  const asked = { toRun: false };
  const over = new AbortController();
  const { promise: isCut, resolve: onTried } = Promise.withResolvers<void>();
  let cutting: Promise<void> | undefined;
  let lost: Error | undefined;
  try {
    await using peer = await openPeer(signal);
    const cut = (reason: Error): Promise<void> => {
      if (!over.signal.aborted) lost = reason;
      return cutLoose({ daemon: source, domain, clock, ignore, onTried }, over.signal);
    };
    void peer.closed.then((reason) => (cutting = cut(reason)));
    // In this order: a guest that is told to give up while its connections lead nowhere stands still.
    const target = { ...noting(peer, asked), closed: peer.closed.then((reason) => isCut.then(() => reason)) };
    const giveUp = onceHeard({ peer, isCut, ignore }, signal);
    const migration = migrate(source, target, { domain, ...plan, signal: giveUp });
    const moved = await migration.finally(() => over.abort());
    return { kind: 'sent', leftBehind: moved.leftBehind };
  } catch (error) {
    const isClear = lost !== undefined && !asked.toRun;
    return { kind: 'failed', error: isClear ? targetLost(lost, error) : error, mayRunThere: asked.toRun };
  } finally {
    await cutting;
  }
}

/** Whichever end has noticed first: what QEMU says when its connections are cut would help nobody. */
function targetLost(lost: Error | undefined, cause: unknown): VirtHandlerError {
  const message = `the target was lost while the guest was sent; it goes on here (${messageOf(lost)})`;
  return new VirtHandlerError('unavailable', message, { cause });
}

interface Hearing {
  readonly peer: Connection;
  readonly isCut: Promise<void>;
  readonly ignore: Ignore;
}

/** Fires after the signal: when the peer was heard to be there, or the connections of the guest to it are cut. */
function onceHeard({ peer, isCut, ignore }: Hearing, signal: AbortSignal): AbortSignal {
  const heard = new AbortController();
  const ask = async (): Promise<void> => {
    try {
      await peer.connectGetLibVersion({ timeoutMs: HEARD_MS });
    } catch (error) {
      ignore(error, 'a migration is given up though its target does not answer');
      if (isConnectionLost(error)) await isCut;
    }
    heard.abort(signal.reason);
  };
  if (signal.aborted) void ask();
  else signal.addEventListener('abort', () => void ask(), { once: true });
  return heard.signal;
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
