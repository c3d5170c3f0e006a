import { isIP, isIPv4 } from 'node:net';

import { PROTOCOLS, type FilterDirection, type FilterPrimitive } from './capture-filter.ts';
import type { FilterReader } from './filter-reader.ts';

const MAC = /^[0-9a-f]{1,2}(?::[0-9a-f]{1,2}){5}$/;
const MOST_PORT = 65_535;
const MOST_VLAN = 4_095;
const MOST_MPLS = 1_048_575;
const MOST_GENEVE = 16_777_215;
const MOST_BYTES = 262_144;
const WANTED =
  'a condition such as "host 10.0.0.1", "net 10.0.0.0/8", "tcp port 443", "udp", "vlan 100" or "ether host 52:54:00:00:00:01"';

/** Reads one condition. */
export function parsePrimitive(reader: FilterReader): FilterPrimitive {
  const label = reader.takeOne(['vlan', 'mpls', 'geneve']);
  if (label !== undefined) return parseLabel(reader, label);
  const comparison = reader.takeOne(['greater', 'less']);
  if (comparison !== undefined) return { kind: 'length', comparison, bytes: reader.number('a length', MOST_BYTES) };
  const cast = reader.takeOne(['broadcast', 'multicast']);
  if (cast !== undefined) return { kind: 'cast', scope: undefined, cast };
  const scope = reader.takeOne(['ether']) ?? reader.takeOne(PROTOCOLS);
  if (scope !== undefined) return parseScoped(reader, scope);
  if (reader.takes('proto')) return { kind: 'protocol-number', scope: 'ip', number: reader.number('a number', 255) };
  return parseAddressed(reader, undefined);
}

function parseScoped(reader: FilterReader, scope: 'ether' | (typeof PROTOCOLS)[number]): FilterPrimitive {
  const next = reader.peek();
  const isBase = scope === 'ether' || scope === 'ip' || scope === 'ip6';
  if (isBase && reader.takes('proto')) {
    return { kind: 'protocol-number', scope, number: reader.number('a number', scope === 'ether' ? 65_535 : 255) };
  }
  const cast = isBase ? reader.takeOne(['broadcast', 'multicast']) : undefined;
  if (isBase && cast !== undefined) return { kind: 'cast', scope, cast };
  const isQualified = next === 'src' || next === 'dst' || next === 'host' || next === 'port' || next === 'portrange';
  if (isQualified) return parseAddressed(reader, scope);
  if (scope === 'ether') throw reader.unexpected('"host", "src", "dst", "proto", "broadcast" or "multicast"');
  return { kind: 'protocol', name: scope };
}

/** What has a direction: hosts, networks and ports. */
function parseAddressed(reader: FilterReader, scope: string | undefined): FilterPrimitive {
  const direction = parseDirection(reader);
  const transport = scope === 'tcp' || scope === 'udp' || scope === 'sctp' ? scope : undefined;
  const host = scope === 'ip' || scope === 'ip6' || scope === 'arp' || scope === 'ether' ? scope : undefined;
  if (scope === undefined || transport !== undefined) {
    if (reader.takes('port')) return { kind: 'port', transport, direction, ...parsePorts(reader, false) };
    if (reader.takes('portrange')) return { kind: 'port', transport, direction, ...parsePorts(reader, true) };
  }
  if (scope === undefined && reader.takes('net')) return { kind: 'net', direction, network: parseNetwork(reader) };
  const isHost = reader.takes('host');
  if ((scope === undefined || host !== undefined) && (isHost || direction !== undefined)) {
    return { kind: 'host', scope: host, direction, address: parseHost(reader, host) };
  }
  throw reader.unexpected(scope === undefined ? WANTED : `what "${scope}" can be about`);
}

function parseDirection(reader: FilterReader): FilterDirection | undefined {
  const first = reader.takeOne(['src', 'dst']);
  if (first === undefined) return undefined;
  const joint = reader.peek();
  const second = reader.peek(1);
  if ((joint !== 'or' && joint !== 'and') || (second !== 'src' && second !== 'dst') || second === first) return first;
  // `src or dst port 53` is one direction, `src 10.0.0.1 or dst 10.0.0.2` is two conditions.
  reader.take();
  reader.take();
  return `src ${joint} dst`;
}

function parsePorts(reader: FilterReader, isRange: boolean): { readonly first: number; readonly last: number } {
  if (!isRange) {
    const port = reader.number('a port', MOST_PORT);
    return { first: port, last: port };
  }
  const { from = '', to = '' } = /^(?<from>\d{1,5})-(?<to>\d{1,5})$/.exec(reader.peek() ?? '')?.groups ?? {};
  const [first, last] = [Number(from), Number(to)];
  if (from === '' || first > last || last > MOST_PORT) throw reader.unexpected('a range of ports such as 8000-8080');
  reader.take();
  return { first, last };
}

function parseHost(reader: FilterReader, scope: 'ip' | 'ip6' | 'arp' | 'ether' | undefined): string {
  const word = reader.peek() ?? '';
  const isRight = scope === 'ether' ? MAC.test(word) : fitsScope(word, scope);
  if (!isRight) throw reader.unexpected(scope === 'ether' ? 'a MAC address' : 'an IP address, not a name,');
  reader.take();
  return word;
}

function fitsScope(word: string, scope: 'ip' | 'ip6' | 'arp' | undefined): boolean {
  const version = isIP(word);
  if (scope === undefined) return version !== 0;
  return version === (scope === 'ip6' ? 6 : 4);
}

function parseNetwork(reader: FilterReader): string {
  const word = reader.peek() ?? '';
  const [address = '', length = '', ...rest] = word.split('/');
  const most = isIPv4(address) ? 32 : 128;
  const isRight = isIP(address) !== 0 && /^\d{1,3}$/.test(length) && Number(length) <= most && rest.length === 0;
  if (!isRight) throw reader.unexpected('a network such as 10.0.0.0/8');
  reader.take();
  return word;
}

function parseLabel(reader: FilterReader, name: 'vlan' | 'mpls' | 'geneve'): FilterPrimitive {
  const most = { vlan: MOST_VLAN, mpls: MOST_MPLS, geneve: MOST_GENEVE }[name];
  const hasId = /^\d/.test(reader.peek() ?? '');
  return { kind: 'label', name, id: hasId ? reader.number(`the number of a ${name}`, most) : undefined };
}
