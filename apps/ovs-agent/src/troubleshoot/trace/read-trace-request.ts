import { isJsonObject, type JsonObject } from '@smalt/json';
import type { TracePacket, TraceRequest } from '@smalt/ovs';

import { OvsAgentError, type FieldProblem } from '../../ovs-agent-error.ts';
import { fieldProblems, requireNone, requireObject, type FieldChecks } from '../request/check-fields.ts';
import {
  isAddress,
  isInteger,
  isLargeInteger,
  isListOf,
  isMac,
  isName,
  isOneOf,
  largeInteger,
  type FieldCheck,
} from '../request/field-checks.ts';
import { packetProblems } from './packet-problems.ts';

const MOST_PASSES = 16;
const MOST_PORT = 0xffff_ffff;
const WORD = 2n ** 64n - 1n;

/** The protocols that a packet may be of. */
export const TRACE_PROTOCOLS = [
  'arp',
  'rarp',
  'ip',
  'ipv6',
  'icmp',
  'icmp6',
  'tcp',
  'tcp6',
  'udp',
  'udp6',
  'sctp',
  'sctp6',
] as const;
const TCP_FLAGS = ['fin', 'syn', 'rst', 'psh', 'ack', 'urg', 'ece', 'cwr', 'ns'] as const;
const CONNTRACK_STATES = ['new', 'est', 'rel', 'rpl', 'inv', 'trk', 'snat', 'dnat'] as const;

const isInPort: FieldCheck = (value) => (typeof value === 'number' ? isInteger(0, MOST_PORT)(value) : isName(value));

/** The fields of a packet, and what each must be. */
const PACKET_CHECKS: Readonly<Record<keyof TracePacket, FieldCheck>> = {
  inPort: isInPort,
  protocol: isOneOf(TRACE_PROTOCOLS),
  ethernetSource: isMac,
  ethernetDestination: isMac,
  ethernetType: isInteger(0, 65_535),
  vlan: isInteger(0, 4_095),
  vlanPriority: isInteger(0, 7),
  ipSource: isAddress,
  ipDestination: isAddress,
  ipProtocol: isInteger(0, 255),
  ttl: isInteger(0, 255),
  typeOfService: isInteger(0, 252),
  sourcePort: isInteger(0, 65_535),
  destinationPort: isInteger(0, 65_535),
  tcpFlags: isListOf(isOneOf(TCP_FLAGS), TCP_FLAGS.length),
  icmpType: isInteger(0, 255),
  icmpCode: isInteger(0, 255),
  arpOperation: isInteger(0, 65_535),
  arpSourceMac: isMac,
  arpTargetMac: isMac,
  neighborTarget: isAddress,
  tunnelId: isLargeInteger(WORD),
  tunnelSource: isAddress,
  tunnelDestination: isAddress,
  packetMark: isInteger(0, MOST_PORT),
  metadata: isLargeInteger(WORD),
  registers: isRegisters,
};

const CHECKS: FieldChecks = {
  bridge: isName,
  packet: (value) => (isJsonObject(value) ? undefined : 'must be an object'),
  conntrack: isListOf(isListOf(isOneOf(CONNTRACK_STATES), CONNTRACK_STATES.length), MOST_PASSES),
};

/** What is known of the switch that a packet comes in at: the ports of each bridge. */
export type KnownPorts = ReadonlyMap<
  string,
  { readonly names: ReadonlySet<string>; readonly numbers: ReadonlySet<number> }
>;

/** Reads the body of a request. All that is wrong with it is one error. */
export function readTraceRequest(value: unknown, ports: KnownPorts): TraceRequest {
  const body = requireObject(value);
  const packet = isJsonObject(body['packet']) ? body['packet'] : {};
  requireNone([
    ...fieldProblems(body, CHECKS, { required: ['bridge', 'packet'] }),
    ...fieldProblems(packet, PACKET_CHECKS, { required: ['inPort'], at: 'packet.' }),
    ...packetProblems(packet),
    ...placeProblems(body['bridge'], packet['inPort'], ports),
  ]);
  return { bridge: textOf(body['bridge']), packet: packetOf(packet), ...conntrackOf(body) };
}

/** OVS takes a port that it does not have for one that drops everything, so nobody would notice. */
function placeProblems(bridge: unknown, inPort: unknown, ports: KnownPorts): readonly FieldProblem[] {
  if (typeof bridge !== 'string') return [];
  const known = ports.get(bridge);
  if (known === undefined) {
    return [
      { field: 'bridge', message: `there is no bridge "${bridge}" here; there are: ${[...ports.keys()].join(', ')}` },
    ];
  }
  const isKnown = typeof inPort === 'number' ? known.numbers.has(inPort) : known.names.has(String(inPort));
  if (isKnown || inPort === undefined) return [];
  const message = `${bridge} has no port ${JSON.stringify(inPort)}: GET /v1/bridges/${bridge} lists its ports`;
  return [{ field: 'packet.inPort', message }];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The fields were checked one by one; what JSON has no type for is made here. */
function packetOf(packet: JsonObject): TracePacket {
  const large = Object.fromEntries(
    ['tunnelId', 'metadata'].flatMap((name) => {
      const number = largeInteger(packet[name]);
      return number === undefined ? [] : [[name, number] as const];
    }),
  );
  const made: unknown = { ...packet, ...large };
  if (!isTracePacket(made)) throw new OvsAgentError('invalid-request', 'packet: cannot be read');
  return made;
}

function isTracePacket(value: unknown): value is TracePacket {
  return isJsonObject(value) && fieldProblems(value, PACKET_CHECKS, { required: ['inPort'] }).length === 0;
}

function conntrackOf(body: JsonObject): Pick<TraceRequest, 'conntrack'> {
  const { conntrack } = body;
  return isConntrack(conntrack) ? { conntrack } : {};
}

function isConntrack(value: unknown): value is NonNullable<TraceRequest['conntrack']> {
  return value !== undefined && CHECKS['conntrack']?.(value) === undefined;
}

function isRegisters(value: unknown): string | undefined {
  const isRight =
    isJsonObject(value) &&
    Object.entries(value).every(
      ([name, word]) => /^(?:\d|1[0-5])$/.test(name) && isInteger(0, MOST_PORT)(word) === undefined,
    );
  return isRight ? undefined : 'must be numbers of 32 bits by the number of the register, from 0 to 15';
}
