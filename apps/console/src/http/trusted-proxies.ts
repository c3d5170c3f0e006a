import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

import { ConsoleError } from '../console-error.ts';

const NETWORK = /^(?<address>[0-9a-f.:]+)(?:\/(?<bits>\d{1,3}))?$/i;
/** How an address of version 4 looks where both versions are listened on. */
const MAPPED = /^::ffff:(?=\d+\.)/i;
/** More proxies in a row are none that anybody has. */
const MOST_HOPS = 20;

/** Whose word counts about where a request comes from: proxies that the settings name. Whoever else says so is not believed. */
export class TrustedProxies {
  readonly #known = new BlockList();

  /** Throws `bad-setting` for what is neither an address nor a network. */
  constructor(networks: readonly string[]) {
    for (const network of networks) this.#add(network);
  }

  /** The address of who asks: the last one of the way here that is no proxy of ours. */
  addressOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    let address = plain(socket.remoteAddress ?? '');
    const told = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    for (const hop of told.slice(-MOST_HOPS).toReversed()) {
      const before = plain(hop.trim());
      if (!this.#isTrusted(address) || isIP(before) === 0) return address;
      address = before;
    }
    return address;
  }

  #add(network: string): void {
    const { address = '', bits } = NETWORK.exec(network)?.groups ?? {};
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    if (version === 0 || Number(bits ?? most) > most) {
      const message = `trustedProxies: ${JSON.stringify(network)} is no network: give such as 10.0.0.0/8 or 192.0.2.7`;
      throw new ConsoleError('bad-setting', message);
    }
    this.#known.addSubnet(address, Number(bits ?? most), version === 4 ? 'ipv4' : 'ipv6');
  }

  #isTrusted(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.#known.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}

function plain(address: string): string {
  return address.replace(MAPPED, '');
}
