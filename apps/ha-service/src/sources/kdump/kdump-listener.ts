import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

import { messageOf, type Logger } from '@smalt/service-runtime';

import type { ClusterHost } from '../../ports/cluster-port.ts';
import type { ServiceClock } from '../../ports/service-clock.ts';
import { listenAddress } from '../../start/listen-address.ts';
import { HostAddresses } from './host-addresses.ts';
import { isKdumpMessage } from './is-kdump-message.ts';
import type { KdumpSettings } from './kdump-settings.ts';
import { KdumpWindows } from './kdump-windows.ts';

/** How soon a change of the settings is followed, and an address that was not free is tried again. */
const LOOK_MS = 1_000;

/** What became of a datagram: it held a host back, was no such message, or came from no host that is known. */
export const KdumpResult = { heard: 'heard', malformed: 'malformed', stranger: 'stranger' } as const;
export type KdumpResult = (typeof KdumpResult)[keyof typeof KdumpResult];

export interface KdumpListenerDeps {
  readonly settings: () => KdumpSettings;
  readonly hosts: () => readonly ClusterHost[];
  readonly clock: ServiceClock;
  readonly logger: Logger;
  readonly count: (result: KdumpResult) => void;
}

/**
 * Listens for hosts that write a kernel dump. They are known by their addresses alone, which anybody can forge: it delays
 * what is done about a host, for a while, and does nothing else.
 */
export class KdumpListener {
  readonly #deps: KdumpListenerDeps;
  readonly #windows = new KdumpWindows();
  readonly #addresses: HostAddresses;
  #port: number | undefined;

  constructor(deps: KdumpListenerDeps) {
    this.#deps = deps;
    this.#addresses = new HostAddresses(deps);
  }

  /** The port it listens on now. */
  get port(): number | undefined {
    return this.#port;
  }

  /** Until when a host is held back. */
  untilOf(host: string): number | undefined {
    return this.#windows.untilOf(host);
  }

  /** Listens where the settings say at that moment, until the signal fires. */
  async run(signal: AbortSignal): Promise<void> {
    const { settings, clock, logger } = this.#deps;
    while (!signal.aborted) {
      const { listen } = settings();
      try {
        if (listen !== '') await this.#listen(listen, signal);
      } catch (error) {
        if (!signal.aborted) logger.warn({ listen, error: messageOf(error) }, 'kernel dumps are not listened for');
      }
      await clock.wait(LOOK_MS, signal).catch(() => undefined);
    }
  }

  async #listen(listen: string, signal: AbortSignal): Promise<void> {
    const { settings, clock } = this.#deps;
    const { host, port } = listenAddress(listen);
    await using socket = new OpenSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.socket.on('message', (message, { address }) => this.#hear(message, address));
    socket.socket.bind(port, host);
    await once(socket.socket, 'listening', { signal });
    this.#port = socket.socket.address().port;
    const failed = once(socket.socket, 'error', { signal }).then(([error]) => Promise.reject(error));
    // It is awaited below only while nobody has told us to stop.
    failed.catch(() => undefined);
    try {
      while (settings().listen === listen && !signal.aborted) {
        await Promise.race([clock.wait(LOOK_MS, signal), failed]);
        this.#windows.forget(clock.now(), settings());
      }
    } finally {
      this.#port = undefined;
    }
  }

  #hear(message: Buffer, from: string): void {
    const { settings, clock, logger, count } = this.#deps;
    if (!isKdumpMessage(message)) return count(KdumpResult.malformed);
    const address = plainAddress(from);
    const known = settings().addresses;
    const host = (Object.hasOwn(known, address) ? known[address] : undefined) ?? this.#addresses.nameOf(address);
    if (host === undefined) return count(KdumpResult.stranger);
    const now = clock.now();
    const before = this.#windows.untilOf(host) ?? now;
    this.#windows.hear(host, now, settings());
    count(KdumpResult.heard);
    if (before <= now) logger.info({ host, until: this.#windows.untilOf(host) }, 'a host writes a kernel dump');
  }
}

class OpenSocket implements AsyncDisposable {
  readonly socket: Socket;

  constructor(type: 'udp4' | 'udp6') {
    this.socket = createSocket(type);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }
}

/** A socket for both kinds of addresses tells those of the old kind in the form of the new one. */
function plainAddress(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
}
