import type { HealthMemory } from '../../health-memory.ts';
import type { HealthSettings } from '../../health-settings.ts';
import { findIntegrationBridge } from '../../ovn-settings.ts';
import { judgedBonds } from '../../status/bonds.ts';
import { oldNews } from '../../status/old-news.ts';
import type { OvnFacts, SwitchFacts } from '../../switch-facts.ts';
import { advanceConnection } from './connection-history.ts';
import { advanceScans } from './flow-scan-history.ts';
import type { Histories, HistoryView } from '../rule-view.ts';
import { bondFault } from '../switch/bond-rule.ts';
import { cardFault, singleCards } from '../switch/card-rule.ts';
import { advanceProgress, type Progress } from './progress.ts';
import { advanceRestarts } from './restarts.ts';
import { advanceSteadiness, nextChange, type Fault, type Steadiness } from './steadiness.ts';

/** Adds the facts of this moment to the histories. What is not known now leaves them as they are. */
export function advanceHistories(view: HistoryView, memory: HealthMemory): Histories {
  const { facts, settings } = view;
  const { ovn } = facts;
  const scan = ovn?.staleFlows;
  return {
    connection: ovn && advanceConnection(memory.connection, ovn.connection, settings),
    scans:
      scan?.kind === 'known' ? advanceScans(memory.scans, { at: scan.at, flows: scan.value }) : ovn && memory.scans,
    configuration: configurationProgress(facts, memory),
    southbound: ovn && southboundProgress(facts, ovn, memory),
    ...linkHistories(view, memory),
  };
}

/** When one of them changes what is said though nothing happens. */
export function nextHistoryChange({ bonds, cards }: Histories, settings: HealthSettings): number | undefined {
  const changes = [...bonds.values(), ...cards.values()].flatMap((each) => nextChange(each, settings) ?? []);
  return changes.length === 0 ? undefined : Math.min(...changes);
}

function linkHistories(view: HistoryView, memory: HealthMemory): Pick<Histories, 'restarts' | 'bonds' | 'cards'> {
  const { facts, ports } = view;
  const restarts = advanceRestarts(memory.restarts, facts.vswitchd, facts.at);
  const advance = (old: ReadonlyMap<string, Steadiness>, faults: Faults): ReadonlyMap<string, Steadiness> =>
    new Map(
      faults.map(([name, fault]) => {
        const look = { at: facts.at, fault, restartedAt: restarts?.restartedAt };
        return [name, advanceSteadiness(old.get(name), look, view.settings)];
      }),
    );
  if (facts.configuration === undefined) {
    const { bonds, cards } = memory;
    return { restarts, bonds: advance(bonds, unseen(bonds)), cards: advance(cards, unseen(cards)) };
  }
  const bonds = judgedBonds(facts).map((bond) => [bond.port.name, bondFault(bond)] as const);
  const cards = singleCards(ports).map((card) => [card.interface.name, cardFault(card, view)] as const);
  return { restarts, bonds: advance(memory.bonds, bonds), cards: advance(memory.cards, cards) };
}

function unseen(old: ReadonlyMap<string, Steadiness>): Faults {
  return [...old.keys()].map((name) => [name, 'unseen'] as const);
}

type Faults = readonly (readonly [string, Fault | 'unseen' | undefined])[];

function configurationProgress(facts: SwitchFacts, memory: HealthMemory): Progress | undefined {
  // A daemon that is away makes no progress, and that it is away is told elsewhere.
  if (oldNews(facts) !== undefined || facts.configuration === undefined) return undefined;
  const { nextConfiguration: wanted, currentConfiguration: reached } = facts.configuration;
  return advanceProgress(memory.configuration, { wanted, reached }, facts.at);
}

function southboundProgress(facts: SwitchFacts, ovn: OvnFacts, memory: HealthMemory): Progress | undefined {
  if (ovn.southbound?.kind !== 'known') return memory.southbound;
  const { nbCfg: wanted, chassisNbCfg } = ovn.southbound.value;
  const reached = chassisNbCfg ?? bridgeNbCfg(facts);
  return reached === undefined ? undefined : advanceProgress(memory.southbound, { wanted, reached }, facts.at);
}

function bridgeNbCfg({ configuration }: SwitchFacts): bigint | undefined {
  const bridge = configuration && findIntegrationBridge(configuration);
  const text = bridge?.externalIds.get('ovn-nb-cfg');
  return text !== undefined && /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}
