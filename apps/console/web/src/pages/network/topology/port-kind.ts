import type { TopologyPort } from '@smalt/ovs-api';

export type PortKind = 'bond' | 'card' | 'patch' | 'tunnel' | 'guest' | 'internal' | 'other';

/** The kinds in the order in which they are shown, and what a group of each is called. */
export const PORT_KINDS: readonly { readonly kind: PortKind; readonly label: string; readonly one: string }[] = [
  { kind: 'bond', label: 'Bonds', one: 'Bond' },
  { kind: 'card', label: 'Network cards', one: 'Network card' },
  { kind: 'tunnel', label: 'Tunnels', one: 'Tunnel' },
  { kind: 'guest', label: 'Guests', one: 'Guest' },
  { kind: 'internal', label: 'Of the host', one: 'Of the host' },
  { kind: 'other', label: 'Other', one: 'Other' },
  { kind: 'patch', label: 'Patches', one: 'Patch' },
];

const TUNNELS = ['geneve', 'vxlan', 'gre', 'ip6gre', 'erspan', 'ip6erspan', 'stt', 'lisp', 'bareudp', 'gtpu', 'srv6'];

/** What a port is for. */
export function portKind({ interfaces }: Pick<TopologyPort, 'interfaces'>): PortKind {
  const [device] = interfaces;
  if (device === undefined) return 'other';
  if (interfaces.length > 1) return 'bond';
  const { type } = device;
  if (type === 'patch') return 'patch';
  if (TUNNELS.includes(type)) return 'tunnel';
  if (device.isCard === true) return 'card';
  if (device.logicalPort !== undefined || type.startsWith('dpdkvhostuser')) return 'guest';
  if (type === 'internal') return 'internal';
  return /^(?:tap|vnet|qvo|vhu)/.test(device.name) ? 'guest' : 'other';
}

export function kindWords(kind: PortKind): string {
  return PORT_KINDS.find((each) => each.kind === kind)?.one ?? kind;
}
