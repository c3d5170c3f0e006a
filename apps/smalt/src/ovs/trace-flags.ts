import type { Command } from 'commander';

import { SmaltError } from '../smalt-error.ts';

/** Each flag with the field of a packet that it stands for, how its text is read, and what it means. */
const FLAGS = [
  ['--eth-src <mac>', 'ethernetSource', 'text', 'source MAC address'],
  ['--eth-dst <mac>', 'ethernetDestination', 'text', 'destination MAC address'],
  ['--eth-type <number>', 'ethernetType', 'number', 'type of the frame, such as 0x88cc'],
  ['--vlan <number>', 'vlan', 'number', 'VLAN of the frame'],
  ['--ip-src <address>', 'ipSource', 'text', 'source address'],
  ['--ip-dst <address>', 'ipDestination', 'text', 'destination address'],
  ['--ip-protocol <number>', 'ipProtocol', 'number', 'number of the protocol above IP'],
  ['--ttl <number>', 'ttl', 'number', 'time to live; 64 unless given'],
  ['--src-port <number>', 'sourcePort', 'number', 'source port'],
  ['--dst-port <number>', 'destinationPort', 'number', 'destination port'],
  ['--tcp-flags <list>', 'tcpFlags', 'list', 'flags that are set, such as syn,ack'],
  ['--icmp-type <number>', 'icmpType', 'number', 'type of ICMP'],
  ['--icmp-code <number>', 'icmpCode', 'number', 'code of ICMP'],
  ['--arp-operation <number>', 'arpOperation', 'number', '1 asks, 2 answers'],
  ['--tunnel-id <number>', 'tunnelId', 'text', 'key of the tunnel that it came in by'],
  ['--metadata <number>', 'metadata', 'text', 'metadata, which OVN keeps the logical network in'],
] as const;

const PROTOCOL_FLAGS = [
  'arp',
  'rarp',
  'icmp',
  'icmp6',
  'tcp',
  'tcp6',
  'udp',
  'udp6',
  'sctp',
  'sctp6',
  'ip',
  'ipv6',
] as const;

/** Adds the flags that describe a packet. */
export function addTraceFlags(command: Command): Command {
  for (const protocol of PROTOCOL_FLAGS) command.option(`--${protocol}`, `a packet of ${protocol}`);
  for (const [flag, , , what] of FLAGS) command.option(flag, what);
  return command;
}

/** The body of the request that the flags stand for. Whether the values make sense is for the agent to say. */
export function traceBody(flags: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const protocols = PROTOCOL_FLAGS.filter((name) => flags[name] === true);
  if (protocols.length > 1) {
    const given = protocols.map((name) => `--${name}`).join(' and ');
    throw new SmaltError('wrong-use', `a packet is of one protocol, not of ${given}: give one of them`);
  }
  const fields = FLAGS.flatMap(([flag, field, form]) => {
    const text = flags[flagName(flag)];
    return typeof text === 'string' ? [[field, valueOf(flag, form, text)] as const] : [];
  });
  const [protocol] = protocols;
  // A packet without one has come to its end, and would be dropped for that.
  const hops = protocol === undefined || protocol === 'arp' || protocol === 'rarp' ? {} : { ttl: 64 };
  const packet = {
    inPort: portOf(flags['inPort']),
    ...(protocol && { protocol }),
    ...hops,
    ...Object.fromEntries(fields),
  };
  const { conntrack } = flags;
  const states = Array.isArray(conntrack) ? { conntrack: conntrack.map((each) => String(each).split(',')) } : {};
  return { bridge: flags['bridge'], packet, ...states };
}

function flagName(flag: string): string {
  return (flag.split(' ')[0] ?? '').slice(2).replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function valueOf(flag: string, form: 'text' | 'number' | 'list', text: string): unknown {
  if (form === 'text') return text;
  if (form === 'list') return text.split(',');
  if (/^(?:\d{1,10}|0x[0-9a-f]{1,8})$/i.test(text)) return Number(text);
  throw new SmaltError('wrong-use', `${flag.split(' ')[0]}: "${text}" is no whole number`);
}

function portOf(text: unknown): unknown {
  return typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : text;
}
