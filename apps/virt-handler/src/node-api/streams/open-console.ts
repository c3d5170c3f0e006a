import { readDomain } from '@smalt/domain-xml';
import { connect, DomainConsoleFlags, isLibvirtError, type LibvirtStream } from '@smalt/libvirt';

import type { RunningInstance } from '../../sync/running-instances.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import { explainLibvirtError } from '../guest/explain-libvirt-error.ts';
import { requireRunning } from '../guest/require-running.ts';
import { openGuestSocket } from './open-guest-socket.ts';
import type { GuestLink } from './relay.ts';

const TERMINALS = '/dev/';
const OPEN_MS = 10_000;

/** Opens the serial console of a guest, whoever had it open before. */
export async function openConsole(running: RunningInstance, signal: AbortSignal): Promise<GuestLink> {
  if (running.instance.spec.domain.devices.autoattachSerialConsole === false) {
    const text = 'VMI has no serial console: spec.domain.devices.autoattachSerialConsole is false';
    throw new VirtHandlerError('bad-request', text);
  }
  const path = await serialPathOf(running, signal);
  // libvirt hands out terminals alone; a socket is there for whoever may open it.
  if (path === undefined || path.startsWith(TERMINALS)) return await openTerminal(running, signal);
  return await openGuestSocket(path, 'the console of the guest', signal);
}

async function serialPathOf(running: RunningInstance, signal: AbortSignal): Promise<string | undefined> {
  const { session, domain } = running;
  try {
    await requireRunning(running, { signal });
    return readDomain(await session.domainGetXmlDesc({ domain }, { signal })).serialPath;
  } catch (error) {
    throw explainLibvirtError(error);
  }
}

async function openTerminal({ session, domain }: RunningInstance, signal: AbortSignal): Promise<GuestLink> {
  try {
    await using stack = new AsyncDisposableStack();
    // A stream that nobody reads stops all that goes by its connection, so it has one of its own.
    const connection = stack.use(await connect(session.uri, { signal }));
    const flags = DomainConsoleFlags.force;
    // Not by the signal: it would go on to end the stream when the time to open it is over.
    const stream = stack.use(await connection.domainOpenConsole({ domain, flags }, { timeoutMs: OPEN_MS }));
    signal.throwIfAborted();
    const owned = stack.move();
    return {
      incoming: bytesOf(stream),
      write: (bytes) => stream.write(bytes),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (error) {
    throw explainLibvirtError(error);
  }
}

async function* bytesOf(stream: LibvirtStream): AsyncGenerator<Uint8Array> {
  try {
    for await (const part of stream) if (part instanceof Uint8Array) yield part;
  } catch (error) {
    // The end of a guest aborts its console.
    if (isLibvirtError(error, 'internal-error') || isLibvirtError(error, 'rpc')) return;
    throw explainLibvirtError(error);
  }
}
