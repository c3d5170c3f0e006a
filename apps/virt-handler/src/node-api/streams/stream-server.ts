import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

import { acceptWebSocket, checkHandshake } from '@smalt/websocket';

import type { GivenAddresses } from '../../network/network-plugin.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { Admitted, AdmittedToGuest, AdmittedToWatch } from '../server/admit-request.ts';
import type { TelemetryName } from '../server/node-operation.ts';
import { ExclusiveStreams, type StreamPlace } from './exclusive-streams.ts';
import { openConsole } from './open-console.ts';
import { openDisplay } from './open-display.ts';
import { openGuestPort } from './open-guest-port.ts';
import { openTelemetry, type TelemetryDeps } from './open-telemetry.ts';
import { relay, type GuestLink, type RelayEnd } from './relay.ts';

/** What everybody speaks who opens consoles of virtual machines. */
const PROTOCOLS = ['plain.kubevirt.io'];

export interface StreamServerDeps extends TelemetryDeps {
  readonly addresses: GivenAddresses;
  readonly mostStreams: number;
  readonly mostReaders: number;
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
  readonly #readers: Record<TelemetryName, number> = { usage: 0, logs: 0 };
  #open = 0;

  constructor(deps: StreamServerDeps) {
    this.#deps = deps;
  }

  /** How many are open. */
  get open(): number {
    return this.#open;
  }

  /** How many are told of usage, and how many read logs. */
  get readers(): Readonly<Record<TelemetryName, number>> {
    return this.#readers;
  }

  /** Serves one stream to its end. `soon` fires when it takes too long to be opened; throws before anything was answered. */
  async serve(admitted: Admitted, upgrade: UpgradeRequest, soon: AbortSignal): Promise<RelayEnd> {
    checkHandshake({ request: upgrade.request, protocols: PROTOCOLS });
    return admitted.kind === 'telemetry'
      ? await this.#tell(admitted, upgrade)
      : await this.#join(admitted, upgrade, soon);
  }

  async #join(admitted: AdmittedToGuest, upgrade: UpgradeRequest, soon: AbortSignal): Promise<RelayEnd> {
    const { mostStreams, signal } = this.#deps;
    requireRoom(this.#open, mostStreams, 'streams are open');
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

  /** Readers have room of their own: however many there are, consoles can be opened. */
  async #tell(admitted: AdmittedToWatch, upgrade: UpgradeRequest): Promise<RelayEnd> {
    const { mostReaders, signal } = this.#deps;
    const { subresource } = admitted.operation;
    requireRoom(this.#readers[subresource], mostReaders, `readers of ${subresource} are there`);
    this.#readers[subresource]++;
    try {
      await using telemetry = await openTelemetry(this.#deps, admitted);
      return await relay(acceptWebSocket({ ...upgrade, protocols: PROTOCOLS }), telemetry, signal);
    } finally {
      this.#readers[subresource]--;
    }
  }

  #place({ operation, query, running }: AdmittedToGuest): StreamPlace {
    const { subresource } = operation;
    if (subresource === 'portforward')
      return { signal: new AbortController().signal, [Symbol.dispose]: () => undefined };
    const mayDisturb = !isTrue(query.get('preserveSession'));
    return this.#exclusive.take(`${subresource}/${running.domain.uuid}`, mayDisturb);
  }

  async #openGuest({ operation, running }: AdmittedToGuest, signal: AbortSignal): Promise<GuestLink> {
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

function requireRoom(count: number, most: number, what: string): void {
  if (count >= most) throw new VirtHandlerError('too-many-requests', `${most} ${what}: close some of them`);
}

function isTrue(text: string | null): boolean {
  return text === 'true' || text === '1' || text === '';
}
