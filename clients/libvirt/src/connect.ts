import { checkConnectOptions } from './check-connect-options.ts';
import type { ConnectOptions } from './connect-options.ts';
import { Connection } from './connection.ts';
import { EventHub } from './events/event-hub.ts';
import { procedures } from './generated/procedures.gen.ts';
import { isLibvirtError, LibvirtError } from './libvirt-error.ts';
import { Channel } from './rpc/channel.ts';
import { LongCalls } from './rpc/long-calls.ts';
import { RPC_ERROR } from './rpc/read-error.ts';
import { authenticate, type AuthenticationCalls } from './transport/authenticate.ts';
import type { LibvirtTarget } from './transport/libvirt-target.ts';
import { openTransport } from './transport/open-transport.ts';
import { parseLibvirtUri } from './transport/parse-uri.ts';
import { withinConnectTime } from './within-connect-time.ts';

const DEFAULT_MAX_LONG_CALLS = 4;
const READ_ONLY = 1;
/** Asking a daemon whether it has keepalive is what switches its own pings on. */
const KEEPALIVE_FEATURE = 10;
/** The time limit of connecting covers the calls that do it; that of other calls is none of theirs. */
const patiently = { timeoutMs: Infinity };

/** Connects to the daemon a libvirt URI names, and resolves when calls can be made. */
export async function connect(uri: string, options: ConnectOptions = {}): Promise<Connection> {
  checkConnectOptions(options);
  const target = parseLibvirtUri(uri, options);
  return await withinConnectTime(target, options, (signal) => open(uri, target, signal, options));
}

async function open(
  uri: string,
  target: LibvirtTarget,
  signal: AbortSignal,
  options: ConnectOptions,
): Promise<Connection> {
  const { tls } = options;
  const socket = await openTransport(target, { signal, tls, onBytes: (bytes) => channel.receive(bytes) });
  const events: EventHub = new EventHub((warning) => channel.warn(warning), options);
  const channel: Channel = new Channel(socket, {
    ...options,
    onEvent: (header, reader) => events.receive(header, reader),
  });
  void channel.closed.then((reason) => events.end(reason));
  const abandoned = Promise.withResolvers<never>();
  const giveUp = (): void => abandoned.reject(new LibvirtError('closed', 'connecting was given up'));
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    // A race, because deriving a key from a password hears no signal.
    await Promise.race([introduce(channel, target, options), abandoned.promise]);
    const limits = { max: options.maxLongCalls ?? DEFAULT_MAX_LONG_CALLS, callTimeoutMs: options.callTimeoutMs };
    return new Connection(uri, channel, events, new LongCalls(limits, channel.clock));
  } catch (error) {
    channel.destroy(new LibvirtError('closed', 'connecting failed', { cause: error }));
    throw error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

// Most daemons ask for no authentication. All calls leave in one write, and with such a daemon one round trip does it.
// What a daemon refuses because it does not know the client yet is asked again. That can happen even to root on a
// socket with polkit, whom the daemon lets in while it answers the first call: it serves the others at the same time.
async function introduce(channel: Channel, target: LibvirtTarget, options: ConnectOptions): Promise<void> {
  const { credentials } = options;
  const opening = openingCalls(channel, target, options);
  const authenticated = authenticate(authenticationCalls(channel), target, { credentials });
  const early = Promise.allSettled(opening.map((call) => call()));
  await authenticated;
  const outcomes = await early;
  await Promise.all(
    opening.map(async (call, index) => {
      const outcome = outcomes[index];
      if (outcome?.status !== 'rejected') return;
      if (!isLibvirtError(outcome.reason) || outcome.reason.number !== RPC_ERROR) throw outcome.reason;
      await call();
    }),
  );
}

function openingCalls(
  channel: Channel,
  { driverUri }: LibvirtTarget,
  { isReadOnly }: ConnectOptions,
): readonly (() => Promise<unknown>)[] {
  const name = driverUri === '' ? undefined : driverUri;
  const flags = isReadOnly === true ? READ_ONLY : 0;
  return [
    () => channel.call(procedures.connectSupportsFeature, { feature: KEEPALIVE_FEATURE }, patiently),
    () => channel.call(procedures.connectOpen, { name, flags }, patiently),
  ];
}

function authenticationCalls(channel: Channel): AuthenticationCalls {
  return {
    authList: () => channel.call(procedures.authList, undefined, patiently),
    authSaslInit: () => channel.call(procedures.authSaslInit, undefined, patiently),
    authSaslStart: (args) => channel.call(procedures.authSaslStart, args, patiently),
    authSaslStep: (args) => channel.call(procedures.authSaslStep, args, patiently),
    authPolkit: () => channel.call(procedures.authPolkit, undefined, patiently),
  };
}
