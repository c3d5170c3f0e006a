import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { acceptWebSocket, checkHandshake } from '@smalt/websocket';

import type { GivenAddresses } from '../../network/network-plugin.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { Admitted } from '../server/admit-request.ts';
import { ExclusiveStreams, type StreamPlace } from './exclusive-streams.ts';
import { openConsole } from './open-console.ts';
import { openDisplay } from './open-display.ts';
import { openGuestPort } from './open-guest-port.ts';
import { relay, type GuestLink, type RelayEnd } from './relay.ts';

/** What everybody speaks who opens consoles of virtual machines. */
const PROTOCOLS = ['plain.kubevirt.io'];

export interface StreamServerDeps {
  readonly addresses: GivenAddresses;
  readonly mostStreams: number;
  /** Fires when the handler stops. */
  readonly signal: AbortSignal;
}

interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Uint8Array;
}

/** Opens streams to guests: the guest's side first, so that what cannot be opened can still be answered. */
export class StreamServer {
  readonly #deps: StreamServerDeps;
  readonly #exclusive = new ExclusiveStreams();
  #open = 0;

  constructor(deps: StreamServerDeps) {
    this.#deps = deps;
  }

  /** How many are open. */
  get open(): number {
    return this.#open;
  }

  /** Serves one stream to its end. `soon` fires when it takes too long to be opened; throws before anything was answered. */
  async serve(admitted: Admitted, upgrade: UpgradeRequest, soon: AbortSignal): Promise<RelayEnd> {
    const { mostStreams, signal } = this.#deps;
    checkHandshake({ request: upgrade.request, protocols: PROTOCOLS });
    if (this.#open >= mostStreams) {
      throw new VirtHandlerError('too-many-requests', `${mostStreams} streams are open: close some of them`);
    }
    this.#open++;
    try {
      using place = this.#place(admitted);
      await using guest = await this.#openGuest(admitted, AbortSignal.any([soon, place.signal]));
      const caller = acceptWebSocket({ ...upgrade, protocols: PROTOCOLS });
      return await relay(caller, guest, AbortSignal.any([signal, place.signal]));
    } finally {
      this.#open--;
    }
  }

  #place({ operation, query, running }: Admitted): StreamPlace {
    const { subresource } = operation;
    if (subresource === 'portforward')
      return { signal: new AbortController().signal, [Symbol.dispose]: () => undefined };
    const mayDisturb = !isTrue(query.get('preserveSession'));
    return this.#exclusive.take(`${subresource}/${running.domain.uuid}`, mayDisturb);
  }

  async #openGuest({ operation, running }: Admitted, signal: AbortSignal): Promise<GuestLink> {
    if (operation.kind !== 'stream')
      throw new VirtHandlerError('bad-request', `${operation.subresource} is no WebSocket`);
    switch (operation.subresource) {
      case 'console':
        return await openConsole(running, signal);
      case 'vnc':
        return await openDisplay(running, signal);
      case 'portforward':
        return await openGuestPort(running, { port: operation.port, addresses: this.#deps.addresses }, signal);
    }
  }
}

function isTrue(text: string | null): boolean {
  return text === 'true' || text === '1' || text === '';
}
