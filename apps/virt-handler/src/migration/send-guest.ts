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
  /** `askedToRunAt` is when the target was asked to let it run, by the clock that never jumps; undefined when it surely was not. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly askedToRunAt: number | undefined };

/** A peer that is lost is noticed sooner, by the usual patience; one that hangs must not keep anybody from giving up. */
const HEARD_MS = 15_000;

/** Carries one guest over, and tells how that ended. The signal aborts it; the guest then stays. */
export async function sendGuest(request: SendRequest, signal: AbortSignal): Promise<SendResult> {
  const { source, domain, openPeer, plan, clock, ignore } = request;
  const asked: Asked = { toRunAt: undefined };
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
    const target = { ...noting(peer, asked, clock), closed: peer.closed.then((reason) => isCut.then(() => reason)) };
    const giveUp = onceHeard({ peer, isCut, ignore }, signal);
    const migration = migrate(source, target, { domain, ...plan, signal: giveUp });
    const moved = await migration.finally(() => over.abort());
    return { kind: 'sent', leftBehind: moved.leftBehind };
  } catch (error) {
    const isClear = lost !== undefined && asked.toRunAt === undefined;
    return { kind: 'failed', error: isClear ? targetLost(lost, error) : error, askedToRunAt: asked.toRunAt };
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

interface Asked {
  toRunAt: number | undefined;
}

/** The peer, with a note of when it was asked to let the guest run: from then on its silence is no answer. */
function noting(peer: Connection, asked: Asked, clock: Clock): MigrateDestination {
  return {
    closed: peer.closed,
    domainMigratePrepare3Params: (args, options) => peer.domainMigratePrepare3Params(args, options),
    domainMigrateFinish3Params: (args, options) => {
      if (args.cancelled === 0) asked.toRunAt ??= clock.monotonic();
      return peer.domainMigrateFinish3Params(args, options);
    },
  };
}
