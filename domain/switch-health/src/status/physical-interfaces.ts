import type { PhysicalInterface } from '@smalt/ovs-api';

import { hasOwnerMark, isNamedAsGuest } from '../guest-marks.ts';
import { readOvnSettings } from '../ovn-settings.ts';
import type { BridgeFacts, InterfaceFacts, PortFacts, SwitchConfiguration, SwitchFacts } from '../switch-facts.ts';
import { speedOf } from './format-speed.ts';
import { isLinkNews } from './old-news.ts';

/** A network card, the port it belongs to, and the bond if the port is one. */
export interface PhysicalPlace {
  readonly interface: InterfaceFacts;
  readonly port: PortFacts;
  readonly bond: string | undefined;
}

const CARD_TYPES: ReadonlySet<string> = new Set(['', 'system', 'dpdk', 'afxdp', 'afxdp-nonpmd', 'dummy']);

export function isBond({ interfaces }: Pick<PortFacts, 'interfaces'>): boolean {
  return interfaces.length > 1;
}

/**
 * Whether an interface is a network card of the host: a member of a bond, a port of DPDK, or a device that no guest owns
 * on a bridge other than the one for guests.
 */
export function isPhysical(
  card: Pick<InterfaceFacts, 'name' | 'type' | 'externalIds'>,
  port: PortFacts,
  where: { readonly bridge: BridgeFacts; readonly integrationBridge: string },
): boolean {
  if (!CARD_TYPES.has(card.type)) return false;
  if (hasOwnerMark(card) || hasOwnerMark(port)) return false;
  if (isBond(port) || card.type === 'dpdk') return true;
  const isMirrored = where.bridge.mirrors.some(({ outputPort }) => outputPort === port.name);
  return where.bridge.name !== where.integrationBridge && !isMirrored && !isNamedAsGuest(card);
}

/** All network cards, by name, each once. */
export function physicalPlaces(configuration: SwitchConfiguration): readonly PhysicalPlace[] {
  const { integrationBridge } = readOvnSettings(configuration);
  const places = configuration.bridges.flatMap((bridge) =>
    bridge.ports.flatMap((port) =>
      port.interfaces
        .filter((card) => isPhysical(card, port, { bridge, integrationBridge }))
        .map((card) => ({ interface: card, port, bond: isBond(port) ? port.name : undefined })),
    ),
  );
  const once = new Map(places.map((place) => [place.interface.name, place]));
  return [...once.values()].toSorted((a, b) => (a.interface.name < b.interface.name ? -1 : 1));
}

/** `Up` or `Down`; `Unknown` while nobody keeps what the database says up to date. */
export function physicalInterfaces(facts: SwitchFacts): readonly PhysicalInterface[] {
  if (facts.configuration === undefined) return [];
  const isNews = isLinkNews(facts);
  return physicalPlaces(facts.configuration).map(({ interface: card, bond }) => {
    const speed = speedOf(card, facts.kernelSpeeds);
    return {
      name: card.name,
      status: isNews ? linkWord(card) : 'Unknown',
      ...(speed !== undefined && { speed }),
      ...(bond !== undefined && { bond }),
    };
  });
}

/**
 * Whether an interface could carry traffic. Open vSwitch keeps `link_state` of a device that failed to open empty, and
 * has not said anything yet of one that is new, or that a database which was just started knows only by name.
 */
export function linkWord({ adminState, linkState, error }: InterfaceFacts): 'Up' | 'Down' | 'Unknown' {
  if ((error ?? '') !== '') return 'Down';
  if (adminState === undefined && linkState === undefined) return 'Unknown';
  return adminState === 'up' && linkState === 'up' ? 'Up' : 'Down';
}
