import { isJsonArray, isJsonObject, jsonField, parseJson, type JsonObject } from '@smalt/json';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import { gatewayOf, overlaps, parseIpv4, printRange, type Ipv4Range } from './ipv4-range.ts';

/** The same on every node: a guest that moves finds its gateway where it was. `SMALT`, locally administered. */
export const GATEWAY_MAC = '02:53:4d:41:4c:54';

export interface NatPlace {
  readonly bridge: string;
  readonly range: Ipv4Range;
}

/** A link of the node with its addresses, as `ip -json -details address` prints it. */
export interface NodeLink {
  readonly name: string;
  readonly kind: string | undefined;
  readonly mac: string | undefined;
  readonly isUp: boolean;
  readonly addresses: readonly { readonly address: string; readonly prefix: number }[];
}

/**
 * The lines for `ip -batch` that make the bridge what it has to be; none when it is so. Throws `network-failed` when the
 * node uses the name or the addresses for something else.
 */
export function planBridge(links: readonly NodeLink[], { bridge, range }: NatPlace): readonly string[] {
  const rival = links.find(({ name, addresses }) => name !== bridge && addresses.some((each) => isWithin(each, range)));
  if (rival) {
    const message = `network.range: the interface ${rival.name} of this node has an address in ${printRange(range)}; give network.range of all nodes a range that nobody else uses`;
    throw new VirtHandlerError('network-failed', message, { field: 'network.range' });
  }
  const link = links.find(({ name }) => name === bridge);
  if (link && link.kind !== 'bridge') {
    const message = `network.bridge: ${bridge} is an interface of this node, but no bridge; give network.bridge another name`;
    throw new VirtHandlerError('network-failed', message, { field: 'network.bridge' });
  }
  const gateway = `${gatewayOf(range)}/${range.prefix}`;
  const strangers = (link?.addresses ?? []).filter((each) => `${each.address}/${each.prefix}` !== gateway);
  return [
    ...(link ? [] : [`link add name ${bridge} address ${GATEWAY_MAC} type bridge forward_delay 0`]),
    ...(link && link.mac !== GATEWAY_MAC ? [`link set dev ${bridge} address ${GATEWAY_MAC}`] : []),
    ...strangers.map(({ address, prefix }) => `address delete ${address}/${prefix} dev ${bridge}`),
    ...(link && strangers.length < link.addresses.length ? [] : [`address add ${gateway} dev ${bridge}`]),
    ...(link?.isUp === true ? [] : [`link set dev ${bridge} up`]),
  ];
}

function isWithin({ address, prefix }: NodeLink['addresses'][number], range: Ipv4Range): boolean {
  const first = parseIpv4(address);
  if (first === undefined) return false;
  const size = 2 ** (32 - prefix);
  return overlaps({ first: first - (first % size), prefix }, range);
}

/** Reads what `ip -json -details -4 address show` and the like print. */
export function parseLinks(text: string): readonly NodeLink[] {
  const value = parseJson(text);
  return (isJsonArray(value) ? value : []).filter(isJsonObject).flatMap((link): readonly NodeLink[] => {
    const name = textField(link, 'ifname');
    if (name === undefined) return [];
    const info = jsonField(link, 'linkinfo');
    const flags = jsonField(link, 'flags');
    const addresses = jsonField(link, 'addr_info');
    return [
      {
        name,
        kind: isJsonObject(info) ? textField(info, 'info_kind') : undefined,
        mac: textField(link, 'address'),
        isUp: isJsonArray(flags) && flags.includes('UP'),
        addresses: (isJsonArray(addresses) ? addresses : []).filter(isJsonObject).flatMap(readAddress),
      },
    ];
  });
}

function readAddress(info: JsonObject): NodeLink['addresses'] {
  const [address, prefix] = [textField(info, 'local'), jsonField(info, 'prefixlen')];
  if (textField(info, 'family') !== 'inet' || address === undefined || typeof prefix !== 'number') return [];
  return [{ address, prefix }];
}

function textField(object: JsonObject, name: string): string | undefined {
  const value = jsonField(object, name);
  return typeof value === 'string' ? value : undefined;
}
