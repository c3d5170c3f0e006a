import { messageOf } from '@smalt/service-runtime';
import { isWebSocketError, type WebSocketStream } from '@smalt/websocket';

/** The side of a guest: bytes in both directions, or messages from it. Disposing of it ends it, and whoever iterates it. */
export interface GuestLink extends AsyncDisposable {
  readonly incoming: AsyncIterable<Uint8Array | string>;
  /** Resolves when the bytes were taken. */
  write(bytes: Uint8Array): Promise<void>;
}

/** Why a stream ended: its caller left, the guest closed it, it was ended from here, or it broke. */
export type RelayEnd =
  | { readonly kind: 'caller-left' }
  | { readonly kind: 'guest-closed' }
  | { readonly kind: 'ended'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

const NORMAL = 1000;
const GOING_AWAY = 1001;
const FAILED = 1011;

/**
 * Carries bytes between a caller and a guest until one of them ends it or the signal fires, and leaves both closed. What one
 * does not take slows the other down.
 */
export async function relay(caller: WebSocketStream, guest: GuestLink, signal: AbortSignal): Promise<RelayEnd> {
  const toGuest = carry(caller, guest).then((): RelayEnd => ({ kind: 'caller-left' }), callerEnd);
  const write = (data: Uint8Array | string): Promise<void> =>
    typeof data === 'string' ? caller.writeText(data) : caller.write(data);
  const toCaller = carry(guest.incoming, { write }).then((): RelayEnd => ({ kind: 'guest-closed' }), guestEnd);
  const ended = Promise.withResolvers<RelayEnd>();
  const onAbort = (): void => ended.resolve({ kind: 'ended', reason: messageOf(signal.reason) });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  const end = await Promise.race([toGuest, toCaller, ended.promise]);
  signal.removeEventListener('abort', onAbort);
  await Promise.all([guest[Symbol.asyncDispose](), closeCaller(caller, end)]);
  await Promise.all([toGuest, toCaller]);
  return end;
}

async function carry<T>(from: AsyncIterable<T>, to: { write(data: T): Promise<void> }): Promise<void> {
  for await (const bytes of from) await to.write(bytes);
}

function callerEnd(error: unknown): RelayEnd {
  // Who goes without a word has gone all the same; what else fails in this direction is the guest's side.
  return isWebSocketError(error) ? { kind: 'caller-left' } : guestEnd(error);
}

function guestEnd(error: unknown): RelayEnd {
  return isWebSocketError(error) ? { kind: 'caller-left' } : { kind: 'failed', reason: messageOf(error) };
}

async function closeCaller(caller: WebSocketStream, end: RelayEnd): Promise<void> {
  switch (end.kind) {
    case 'caller-left':
    case 'guest-closed':
      return await caller.close(NORMAL);
    case 'ended':
      return await caller.close(GOING_AWAY, end.reason);
    case 'failed':
      return await caller.close(FAILED, end.reason);
  }
}
