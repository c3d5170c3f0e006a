import type { SwitchTopology, TopologyPort } from '@smalt/ovs-api';

import type { Tone } from '../../../parts/status-badge.tsx';
import { PORT_KINDS, portKind, type PortKind } from '../topology/port-kind.ts';
import { findPatches, memberState, otherEnd, portState, type Patches } from '../topology/port-state.ts';

/** A port as a card of the picture. */
export interface PortCard {
  /** `bridge/port`. */
  readonly id: string;
  readonly bridge: string;
  readonly port: string;
  readonly kind: PortKind;
  readonly tone: Tone;
  /** The small line below the name. */
  readonly detail: string;
  /** Of a bond. */
  readonly members: readonly MemberCard[];
  /** The card of the other end of a patch. */
  readonly leadsTo?: { readonly id: string; readonly bridge: string };
}

export interface MemberCard {
  readonly name: string;
  readonly tone: Tone;
  readonly detail: string;
}

/** The ports of one kind of one bridge. */
export interface PortGroup {
  /** `bridge/kind`. */
  readonly id: string;
  readonly bridge: string;
  readonly kind: PortKind;
  readonly label: string;
  readonly cards: readonly PortCard[];
}

export interface GatheredBridge {
  readonly name: string;
  readonly groups: readonly PortGroup[];
}

/** Gathers the ports of each bridge by kind, bridges and ports in the order of the topology. */
export function gatherPorts(topology: Pick<SwitchTopology, 'bridges'>): readonly GatheredBridge[] {
  const patches = findPatches(topology);
  return topology.bridges.map(({ name, ports }) => {
    const cards = ports.map((port) => cardOf(name, port, patches));
    const groups = PORT_KINDS.map(({ kind, label }) => ({
      id: `${name}/${kind}`,
      bridge: name,
      kind,
      label,
      cards: cards.filter((card) => card.kind === kind),
    }));
    return { name, groups: groups.filter((group) => group.cards.length > 0) };
  });
}

/** What a group has, such as `Guests: 140, 3 in trouble`. */
export function groupWords({ label, cards }: Pick<PortGroup, 'label' | 'cards'>): string {
  const trouble = cards.filter(isTroubled).length;
  return `${label}: ${cards.length}${trouble === 0 ? '' : `, ${trouble} in trouble`}`;
}

export function isTroubled({ tone }: Pick<PortCard, 'tone'>): boolean {
  return tone === 'bad' || tone === 'warning';
}

function cardOf(bridge: string, port: TopologyPort, patches: Patches): PortCard {
  const { tone, words } = portState(port, patches);
  const kind = portKind(port);
  const [device] = port.interfaces;
  const end = device === undefined ? undefined : otherEnd(device, patches);
  const where = kind === 'bond' ? port.bondMode : (device?.remote ?? device?.logicalPort);
  return {
    id: `${bridge}/${port.name}`,
    bridge,
    port: port.name,
    kind,
    tone,
    detail: end === undefined ? [words, where].filter(Boolean).join(' · ') : `to ${end.bridge}`,
    members: kind === 'bond' ? port.interfaces.map(memberCard) : [],
    ...(end === undefined ? {} : { leadsTo: { id: `${end.bridge}/${end.port}`, bridge: end.bridge } }),
  };
}

function memberCard(device: TopologyPort['interfaces'][number]): MemberCard {
  const { tone, words } = memberState(device);
  return { name: device.name, tone, detail: words };
}
