import type { InterfaceRecord } from '../register/interface-record.ts';
import { gatewayOf, printRange } from './ipv4-range.ts';
import type { NatPlace } from './plan-bridge.ts';

const LINK_LOCAL = '169.254.0.0/16';

/**
 * What `nft` is told so that guests reach the world by the addresses of the node, and of the node itself only addresses, names
 * and echoes. New connections to guests from beyond the node are dropped but for those to their open ports, and so are those
 * between guests unless the network is shared. It may be said again at any time: the table is replaced at one stroke.
 */
export function natRules({ bridge, range }: NatPlace, records: readonly InterfaceRecord[], isShared: boolean): string {
  const [guests, gateway] = [printRange(range), gatewayOf(range)];
  return [
    ...forgotten(bridge),
    `table ${tableOf(bridge)} {`,
    '  set doors { type ipv4_addr . inet_proto . inet_service; }',
    '  chain source {',
    '    type nat hook postrouting priority srcnat; policy accept;',
    `    ip saddr ${guests} ip daddr != ${guests} oifname != "${bridge}" masquerade`,
    '  }',
    '  chain passage {',
    '    type filter hook forward priority filter; policy accept;',
    `    iifname "${bridge}" ip saddr != ${guests} drop`,
    `    iifname "${bridge}" ip daddr ${LINK_LOCAL} drop`,
    `    iifname "${bridge}" meta nfproto ipv6 drop`,
    `    oifname "${bridge}" meta nfproto ipv6 drop`,
    ...(isShared ? [] : [`    iifname "${bridge}" oifname "${bridge}" drop`]),
    `    oifname "${bridge}" iifname != "${bridge}" ip daddr . meta l4proto . th dport @doors accept`,
    `    oifname "${bridge}" iifname != "${bridge}" ct state new drop`,
    '  }',
    '  chain arrival {',
    '    type filter hook input priority filter; policy accept;',
    `    iifname != "${bridge}" accept`,
    '    meta nfproto ipv6 drop',
    '    ct state established,related accept',
    '    udp sport 68 udp dport 67 accept',
    `    ip daddr ${gateway} udp dport 53 accept`,
    `    ip daddr ${gateway} tcp dport 53 accept`,
    `    ip daddr ${gateway} icmp type echo-request accept`,
    '    drop',
    '  }',
    '}',
    opened(bridge, records),
  ].join('\n');
}

/** What `nft` is told so that the world may call guests at their open ports; the table has to be there. */
export function opened(bridge: string, records: readonly InterfaceRecord[]): string {
  return doorLines('add', bridge, records).join('');
}

/** What `nft` is told so that it may no longer; it may be said of ports that never were open. */
export function closed(bridge: string, records: readonly InterfaceRecord[]): string {
  // What is not there cannot be deleted.
  return `${opened(bridge, records)}${doorLines('delete', bridge, records).join('')}`;
}

/** What `nft` is told when there are no guests any more; it may be said when nothing is there. */
export function noNatRules(bridge: string): string {
  return [...forgotten(bridge), ''].join('\n');
}

function doorLines(verb: 'add' | 'delete', bridge: string, records: readonly InterfaceRecord[]): readonly string[] {
  return records.flatMap(({ address, ports = [] }) => {
    if (address === undefined) return [];
    const doors = ports.map((port) => `${address} . ${port.replace('/', ' . ')}`);
    return doors.map((door) => `${verb} element ${tableOf(bridge)} doors { ${door} }\n`);
  });
}

/** A table that is not there cannot be deleted. */
function forgotten(bridge: string): readonly string[] {
  return [`add table ${tableOf(bridge)}`, `delete table ${tableOf(bridge)}`];
}

/** One for each bridge, so that nobody else has rules in it. */
function tableOf(bridge: string): string {
  return `inet smalt-${bridge}`;
}
