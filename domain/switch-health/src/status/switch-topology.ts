import type { SwitchTopology, TopologyInterface, TopologyPort } from '@smalt/ovs-api';

import { wallTime } from '../format-time.ts';
import type { InterfaceFacts, PortFacts, SwitchFacts } from '../switch-facts.ts';
import { isLinkNews } from './old-news.ts';
import { isBond, linkWord, physicalPlaces } from './physical-interfaces.ts';

/** What `bond/show` said of a bond. */
export interface BondMembers {
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly isEnabled: boolean; readonly isActive: boolean }[];
}

/** What was asked of ovs-vswitchd about all bonds, or why it did not answer. */
export type BondAnswer = { readonly value: readonly BondMembers[] } | { readonly error: string };

/** What is plugged in where, in the order of the names. What nobody knows is left out. */
export function switchTopology(facts: SwitchFacts, bonds: BondAnswer): SwitchTopology {
  const { configuration } = facts;
  const cards = new Set(
    configuration === undefined ? [] : physicalPlaces(configuration).map((place) => place.interface.name),
  );
  const isNews = isLinkNews(facts);
  const known = 'value' in bonds ? bonds.value : [];
  const portOf = (port: PortFacts): TopologyPort => {
    const members = known.find(({ name }) => name === port.name)?.members ?? [];
    return {
      name: port.name,
      // What Open vSwitch does where nothing is configured.
      ...(isBond(port) && { bondMode: port.bondMode ?? 'active-backup' }),
      interfaces: port.interfaces.toSorted(byName).map((device) => ({
        ...interfaceOf(device, isNews),
        ...(cards.has(device.name) && { isCard: true }),
        ...memberOf(members, device.name),
      })),
    };
  };
  const bridges = configuration?.bridges ?? [];
  return {
    at: new Date(wallTime(facts)).toISOString(),
    bridges: bridges
      .toSorted(byName)
      .map(({ name, ports }) => ({ name, ports: ports.toSorted(byName).map((port) => portOf(port)) })),
    ...('error' in bonds && { bondsUnknown: bonds.error }),
  };
}

function interfaceOf(device: InterfaceFacts, isNews: boolean): TopologyInterface {
  const { name, type, ofport, error, options, externalIds } = device;
  const [logicalPort, peer, remote] = [externalIds.get('iface-id'), options.get('peer'), options.get('remote_ip')];
  return {
    name,
    type,
    // Open vSwitch says -1 of what it could not add.
    ...(ofport !== undefined && ofport >= 0n && { number: Number(ofport) }),
    link: isNews ? linkWord(device) : 'Unknown',
    ...((error ?? '') !== '' && error !== undefined && { error }),
    ...(logicalPort !== undefined && { logicalPort }),
    ...(peer !== undefined && { peer }),
    ...(remote !== undefined && { remote }),
  };
}

function memberOf(members: BondMembers['members'], device: string): Pick<TopologyInterface, 'isEnabled' | 'isActive'> {
  const member = members.find(({ name }) => name === device);
  return member === undefined ? {} : { isEnabled: member.isEnabled, isActive: member.isActive };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
