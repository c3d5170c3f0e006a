import type { Bridge, FlowStats } from '@smalt/ovs-api';

import { isRaised } from '../health-memory.ts';
import { IssueRule } from '../issue-rule.ts';
import { findingKey, type Weighed } from '../issues/weigh-findings.ts';
import type { BridgeFacts, FlowTableFacts, SwitchFacts } from '../switch-facts.ts';
import { bridgeState, datapathTypeOf, isLocalPort, type BridgeState } from './bridge-state.ts';
import { oldNews } from './old-news.ts';

export interface JudgedBridge {
  readonly bridge: BridgeFacts;
  readonly state: BridgeState;
}

/** All bridges, by name. Nothing is known of them while the database is old news. */
export function judgedBridges(facts: SwitchFacts): readonly JudgedBridge[] {
  const blind = oldNews(facts);
  return (facts.configuration?.bridges ?? [])
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((bridge) => ({
      bridge,
      state:
        blind === undefined
          ? askedInVain(bridgeState(bridge, facts.flowTables.get(bridge.name)), facts)
          : { word: 'Unknown', trouble: undefined },
    }));
}

// What nobody could answer, because ovs-vswitchd or its database was away, says nothing of the bridge.
function askedInVain(state: BridgeState, { vswitchd, database }: SwitchFacts): BridgeState {
  return state.since === undefined ? state : { ...state, since: Math.max(state.since, vswitchd.since, database.since) };
}

/** The bridges as the object tells them, those that are missing included. What may still come is `Pending`. */
export function bridgeStatuses(facts: SwitchFacts, missing: readonly string[], weighed: Weighed): readonly Bridge[] {
  const present = judgedBridges(facts).map(({ bridge, state }) => {
    const tables = tablesOf(facts, bridge.name);
    return {
      name: bridge.name,
      ports: bridge.ports.filter((port) => !isLocalPort(bridge, port)).length,
      ...(tables !== undefined && { flows: totalOf(tables) }),
      datapathType: datapathTypeOf(bridge),
      status: isBeingMade(bridge.name, state, weighed) ? 'Pending' : state.word,
    };
  });
  return [...present, ...missing.map((name) => ({ name, status: 'Missing' }))];
}

function isBeingMade(subject: string, { word }: BridgeState, { sightings }: Weighed): boolean {
  if (word !== 'NoDatapath' && word !== 'Failed') return false;
  const sighting = sightings.get(findingKey({ rule: IssueRule.bridgeUnhealthy, subject }));
  return sighting !== undefined && !isRaised(sighting);
}

/** The flows of all bridges whose tables are known; nothing at all where none is. */
export function flowStats(facts: SwitchFacts): FlowStats | undefined {
  const known = (facts.configuration?.bridges ?? [])
    .map(({ name }) => tablesOf(facts, name))
    .filter((tables) => tables !== undefined);
  if (known.length === 0) return undefined;
  const byTable = new Map<number, number>();
  for (const { table, flows } of known.flat()) {
    if (flows > 0) byTable.set(table, (byTable.get(table) ?? 0) + flows);
  }
  const flowsPerTable = [...byTable].toSorted(([a], [b]) => a - b).map(([table, flows]) => ({ table, flows }));
  return { totalFlows: totalOf(known.flat()), flowsPerTable };
}

function tablesOf(facts: SwitchFacts, bridge: string): readonly FlowTableFacts[] | undefined {
  const answer = facts.flowTables.get(bridge);
  return answer?.kind === 'known' ? answer.value : undefined;
}

function totalOf(tables: readonly FlowTableFacts[]): number {
  return tables.reduce((sum, { flows }) => sum + flows, 0);
}
