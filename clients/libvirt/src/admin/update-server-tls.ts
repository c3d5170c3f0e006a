import { procedures } from '../generated/procedures.gen.ts';
import { LibvirtError } from '../libvirt-error.ts';
import { Channel } from '../rpc/channel.ts';
import type { LibvirtTarget } from '../transport/libvirt-target.ts';
import { openTransport } from '../transport/open-transport.ts';
import { withinConnectTime, type ConnectTimeOptions } from '../within-connect-time.ts';

/** A server inside a daemon, and the socket by which that daemon is administered. */
export interface AdministeredServer {
  /** `/run/libvirt/libvirt-admin-sock`, for example. */
  readonly socketPath: string;
  /** `libvirtd` or `virtproxyd`, for example; its other server is `admin`. */
  readonly server: string;
}

/**
 * Has a daemon read its TLS files anew, as `virt-admin server-update-tls` does: whoever connects from now on sees the new
 * certificate, and connections that are there live on. `connectTimeoutMs` covers all of it.
 */
export async function updateServerTls(
  { socketPath, server }: AdministeredServer,
  options: ConnectTimeOptions = {},
): Promise<void> {
  const target: LibvirtTarget = { endpoint: { kind: 'unix', socketPaths: [socketPath] }, driverUri: '' };
  await withinConnectTime(target, options, async (signal) => {
    const socket = await openTransport(target, { signal, onBytes: (bytes) => channel.receive(bytes) });
    const channel: Channel = new Channel(socket, { keepalive: false, onEvent: () => undefined });
    try {
      await channel.call(procedures.adminConnectOpen, {}, { signal });
      await channel.call(procedures.adminServerUpdateTlsFiles, { server }, { signal });
      await channel.call(procedures.adminConnectClose, undefined, { signal });
    } finally {
      channel.destroy(new LibvirtError('closed', 'the connection was closed'));
    }
  });
}
