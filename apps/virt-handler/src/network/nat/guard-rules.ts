import { createHash } from 'node:crypto';

import { digestOf, type InterfaceIdentity } from '../interface-identity.ts';
import type { InterfaceRecord } from '../register/interface-record.ts';

const LINK_LOCAL = '169.254.0.0/16';
/** The kernel takes 15 characters. */
const OWN_LENGTH = 9;

/** The device on the node of an interface behind this bridge: the rules know it before libvirt makes it. */
export function deviceOf(bridge: string, identity: InterfaceIdentity): string {
  const number = digestOf('device', identity).readUIntBE(0, 6).toString(36).padStart(OWN_LENGTH, '0');
  return `${prefixOf(bridge)}${number.slice(-OWN_LENGTH)}`;
}

/**
 * What `nft` is told so that every guest behind the bridge sends from its own hardware address and address alone, speaks IPv4
 * alone, and is no server of addresses. Guests do not reach each other unless the network is shared. A device of a guest
 * that is not among the records sends nothing.
 */
export function guardRules(bridge: string, records: readonly InterfaceRecord[], isShared: boolean): string {
  const [guests, table] = [`"${prefixOf(bridge)}*"`, tableOf(bridge)];
  return [
    `table ${table} {`,
    '  set cards { type ifname . ether_addr; }',
    '  set homes { type ifname . ether_addr . ipv4_addr; }',
    '  chain entry {',
    '    type filter hook prerouting priority filter; policy accept;',
    `    iifname != ${guests} accept`,
    '    iifname . ether saddr != @cards drop',
    '    iifname . arp saddr ether . arp saddr ip @homes accept',
    // Whoever looks whether its address is free has none yet.
    '    iifname . arp saddr ether @cards arp saddr ip 0.0.0.0 accept',
    `    ip daddr ${LINK_LOCAL} drop`,
    '    udp sport 67 drop',
    '    ip saddr 0.0.0.0 udp sport 68 udp dport 67 accept',
    '    iifname . ether saddr . ip saddr @homes accept',
    '    drop',
    '  }',
    '  chain passage {',
    '    type filter hook forward priority filter; policy accept;',
    ...(isShared ? [] : [`    iifname ${guests} oifname ${guests} drop`]),
    '  }',
    '}',
    admitted(bridge, records),
  ].join('\n');
}

/** What `nft` is told so that more guests may send; the table has to be there. */
export function admitted(bridge: string, records: readonly InterfaceRecord[]): string {
  return elementLines('add', bridge, records).join('');
}

/** What `nft` is told so that guests may no longer send; it may be said of guests that never could. */
export function dismissed(bridge: string, records: readonly InterfaceRecord[]): string {
  const removed = elementLines('delete', bridge, records).join('');
  // What is not there cannot be deleted.
  return `${admitted(bridge, records)}${removed}`;
}

/** What `nft` is told so that no guard is there; it may be said when none is. */
export function noGuardRules(bridge: string): string {
  return `add table ${tableOf(bridge)}\ndelete table ${tableOf(bridge)}\n`;
}

function elementLines(verb: 'add' | 'delete', bridge: string, records: readonly InterfaceRecord[]): readonly string[] {
  return records.flatMap((record) => {
    const card = `"${deviceOf(bridge, record)}" . ${record.mac}`;
    const line = (set: string, element: string): string => `${verb} element ${tableOf(bridge)} ${set} { ${element} }\n`;
    const home = record.address === undefined ? [] : [line('homes', `${card} . ${record.address}`)];
    return [line('cards', card), ...home];
  });
}

/** What the devices of all guests behind a bridge have in common: not every kernel can tell the bridge of a frame. */
function prefixOf(bridge: string): string {
  return `sm${createHash('sha256').update(bridge).digest('hex').slice(0, 4)}`;
}

function tableOf(bridge: string): string {
  return `bridge smalt-${bridge}`;
}
