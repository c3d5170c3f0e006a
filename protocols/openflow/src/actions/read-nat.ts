import { printIpv4, printIpv6 } from '../match/print-address.ts';
import type { Cursor } from '../wire/cursor.ts';
import type { Action } from './action.ts';

const Flag = { source: 1, destination: 2, persistent: 4, hash: 8, random: 16 } as const;
const Range = { ipv4: 1, ipv4End: 2, ipv6: 4, ipv6End: 8, port: 16, portEnd: 32 } as const;

/** Reads how connection tracking translates addresses. */
export function readNat(body: Cursor): Action {
  const flags = body.skip(2).uint16();
  const present = body.uint16();
  if ((flags & (Flag.source | Flag.destination)) === 0) return { kind: 'nat', text: 'nat' };
  const side = (flags & Flag.source) === 0 ? 'dst' : 'src';
  const addresses = readAddresses(body, present);
  if (addresses === undefined) return { kind: 'nat', text: `nat(${side})` };
  const how = [
    (flags & Flag.persistent) === 0 ? '' : ',persistent',
    (flags & Flag.hash) === 0 ? '' : ',hash',
    (flags & Flag.random) === 0 ? '' : ',random',
  ];
  return { kind: 'nat', text: `nat(${side}=${addresses}${readPorts(body, present)}${how.join('')})` };
}

function readAddresses(body: Cursor, present: number): string | undefined {
  if ((present & Range.ipv4) !== 0) {
    const first = printIpv4(body.integer(4));
    return range(first, (present & Range.ipv4End) === 0 ? first : printIpv4(body.integer(4)));
  }
  if ((present & Range.ipv6) === 0) return undefined;
  // Without brackets a port behind the address could not be told from it.
  const wrap = (present & Range.port) === 0 ? (text: string) => text : (text: string) => `[${text}]`;
  const first = wrap(printIpv6(body.integer(16)));
  return range(first, (present & Range.ipv6End) === 0 ? first : wrap(printIpv6(body.integer(16))));
}

function readPorts(body: Cursor, present: number): string {
  if ((present & Range.port) === 0) return '';
  const first = String(body.uint16());
  return `:${range(first, (present & Range.portEnd) === 0 ? first : String(body.uint16()))}`;
}

function range(first: string, last: string): string {
  return first === last ? first : `${first}-${last}`;
}
