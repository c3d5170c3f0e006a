import type { Bond } from '@smalt/ovs-api';

import type { PortFacts, SwitchFacts } from '../switch-facts.ts';
import { bondState, type BondState } from './bond-state.ts';
import { isLinkNews } from './old-news.ts';
import { isBond } from './physical-interfaces.ts';

/** A port with several interfaces, and how it does. */
export interface JudgedBond {
  readonly port: PortFacts;
  readonly state: BondState;
}

/** All bonds, by name. Those of a switch that does not answer are unknown. */
export function judgedBonds(facts: SwitchFacts): readonly JudgedBond[] {
  const ports = facts.configuration?.bridges.flatMap(({ ports: all }) => all.filter((port) => isBond(port))) ?? [];
  const isNews = isLinkNews(facts);
  const isAnswering = facts.vswitchd.state === 'answering';
  return ports
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((port) => ({
      port,
      state: isAnswering
        ? bondState(port, facts.bonds.get(port.name), isNews)
        : { kind: 'unknown', why: 'ovs-vswitchd does not answer' },
    }));
}

/** The bonds as the object tells them. `activeMembers` is left out where it is not known. */
export function bondStatuses(facts: SwitchFacts): readonly Bond[] {
  return judgedBonds(facts).map(({ port, state }) => ({
    name: port.name,
    // What Open vSwitch does where nothing is configured.
    mode: port.bondMode ?? 'active-backup',
    status: state.kind === 'known' ? state.word : 'Unknown',
    members: port.interfaces.length,
    ...(state.kind === 'known' && { activeMembers: state.activeMembers }),
  }));
}
