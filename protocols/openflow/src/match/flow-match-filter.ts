import { OpenFlowError } from '../openflow-error.ts';
import { widePort } from '../port-number.ts';
import { fieldNamed } from './field.ts';
import type { MatchField } from './match-field.ts';
import { type ParsedAddress, parseIp, parseMac } from './parse-address.ts';

/** What a flow must ask for to be chosen. Addresses may carry a mask: `10.0.0.0/8`, `01:00:00:00:00:00/01:00:00:00:00:00`. */
export interface FlowMatchFilter {
  readonly inPort?: number;
  readonly ethernetSource?: string;
  readonly ethernetDestination?: string;
  /** 0x0800, 0x86dd, 0x0806, …; follows from the addresses where they are given. */
  readonly ethernetType?: number;
  readonly vlan?: number;
  readonly ipSource?: string;
  readonly ipDestination?: string;
  readonly ipProtocol?: number;
  /** With ipProtocol 6, 17 or 132. */
  readonly sourcePort?: number;
  readonly destinationPort?: number;
  readonly tunnelId?: bigint;
  readonly metadata?: bigint;
  /** Registers 0 to 15. */
  readonly registers?: Readonly<Record<number, number>>;
}

const IPV4 = 0x0800;
const IPV6 = 0x86dd;
const TRANSPORTS: ReadonlyMap<number, string> = new Map([
  [6, 'tcp'],
  [17, 'udp'],
  [132, 'sctp'],
]);

/** The fields of a match, each behind those that it needs. */
export function matchFieldsOf(filter: FlowMatchFilter): readonly MatchField[] {
  const { inPort, vlan, tunnelId, metadata } = filter;
  const type = ethernetTypeOf(filter);
  return [
    ...whole('in_port_oxm', inPort === undefined ? undefined : widePort(checked('inPort', inPort, 0xffff_ffff))),
    ...address('eth_dst', 'ethernetDestination', filter.ethernetDestination, parseMac),
    ...address('eth_src', 'ethernetSource', filter.ethernetSource, parseMac),
    ...whole('eth_type', type),
    // The bit above the 12 of the tag says that there is one.
    ...whole('vlan_vid', vlan === undefined ? undefined : 0x1000 | checked('vlan', vlan, 4095)),
    ...internetFields(filter, type),
    ...wide('tun_id', 'tunnelId', tunnelId),
    ...wide('metadata', 'metadata', metadata),
    ...Object.entries(filter.registers ?? {}).flatMap(([number, value]) => register(Number(number), value)),
  ];
}

function ethernetTypeOf({ ethernetType, ipSource, ipDestination }: FlowMatchFilter): number | undefined {
  const isVersion6 = [ipSource, ipDestination].some((text) => text?.includes(':') === true);
  const isVersion4 = [ipSource, ipDestination].some((text) => text !== undefined && !text.includes(':'));
  if (isVersion4 && isVersion6) throw invalid('ipSource and ipDestination are of two versions: give both of one');
  const implied = isVersion6 ? IPV6 : isVersion4 ? IPV4 : undefined;
  if (ethernetType === undefined) return implied;
  const type = checked('ethernetType', ethernetType, 0xffff);
  if (implied !== undefined && implied !== type) throw invalid('ethernetType does not fit the addresses: leave it out');
  return type;
}

function internetFields(filter: FlowMatchFilter, type: number | undefined): readonly MatchField[] {
  const { ipProtocol, sourcePort, destinationPort } = filter;
  if (ipProtocol !== undefined && type !== IPV4 && type !== IPV6) {
    throw invalid('ipProtocol needs ethernetType 0x0800 or 0x86dd: give it too');
  }
  const transport = TRANSPORTS.get(ipProtocol ?? -1);
  if (transport === undefined && (sourcePort ?? destinationPort) !== undefined) {
    throw invalid('sourcePort and destinationPort need ipProtocol 6, 17 or 132: give it too');
  }
  const prefix = type === IPV6 ? 'ipv6' : 'ip';
  return [
    ...whole('nw_proto', ipProtocol === undefined ? undefined : checked('ipProtocol', ipProtocol, 255)),
    ...address(`${prefix}_src`, 'ipSource', filter.ipSource, parseIp),
    ...address(`${prefix}_dst`, 'ipDestination', filter.ipDestination, parseIp),
    ...(sourcePort === undefined ? [] : whole(`${transport}_src`, checked('sourcePort', sourcePort, 65_535))),
    ...(destinationPort === undefined
      ? []
      : whole(`${transport}_dst`, checked('destinationPort', destinationPort, 65_535))),
  ];
}

function register(number: number, value: number): readonly MatchField[] {
  checked('registers', number, 15);
  return whole(`reg${number}`, checked(`registers.${number}`, value, 0xffff_ffff));
}

function address(
  field: string,
  name: string,
  text: string | undefined,
  parse: (text: string) => ParsedAddress | undefined,
): readonly MatchField[] {
  if (text === undefined) return [];
  const parsed = parse(text);
  if (parsed === undefined)
    throw invalid(`${name} is ${JSON.stringify(text)}: give an address, with /mask if you like`);
  return [{ field: fieldNamed(field), ...parsed }];
}

function wide(field: string, name: string, value: bigint | undefined): readonly MatchField[] {
  if (value === undefined) return [];
  if (value < 0n || value >= 1n << 64n) throw invalid(`${name} is ${value}: give a number of 64 bits`);
  return [{ field: fieldNamed(field), value, mask: undefined }];
}

function whole(field: string, value: number | undefined): readonly MatchField[] {
  return value === undefined ? [] : [{ field: fieldNamed(field), value: BigInt(value), mask: undefined }];
}

function checked(name: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw invalid(`${name} is ${value}: give a whole number from 0 to ${max}`);
}

function invalid(message: string): OpenFlowError {
  return new OpenFlowError('invalid-filter', message);
}
