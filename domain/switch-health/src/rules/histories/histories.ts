import type { HealthMemory } from '../../health-memory.ts';
import type { HealthSettings } from '../../health-settings.ts';
import { findIntegrationBridge } from '../../integration-bridge.ts';
import { oldNews } from '../../status/old-news.ts';
import type { OvnFacts, SwitchFacts } from '../../switch-facts.ts';
import { advanceConnection } from './connection-history.ts';
import { advanceScans } from './flow-scan-history.ts';
import type { JudgedPort } from '../ports/judged-port.ts';
import { advanceProgress, type Progress } from './progress.ts';

/** What only several looks together tell. */
export type Histories = Pick<HealthMemory, 'connection' | 'scans' | 'configuration' | 'southbound'>;

/** What a rule looks at. */
export interface RuleView {
  readonly facts: SwitchFacts;
  readonly settings: HealthSettings;
  readonly histories: Histories;
  /** All interfaces, with what they are. */
  readonly ports: readonly JudgedPort[];
}

/** Adds the facts of this moment to the histories. What is not known now leaves them as they are. */
export function advanceHistories(facts: SwitchFacts, memory: HealthMemory, settings: HealthSettings): Histories {
  const { ovn } = facts;
  const scan = ovn?.staleFlows;
  return {
    connection: ovn && advanceConnection(memory.connection, ovn.connection, settings),
    scans:
      scan?.kind === 'known' ? advanceScans(memory.scans, { at: scan.at, flows: scan.value }) : ovn && memory.scans,
    configuration: configurationProgress(facts, memory),
    southbound: ovn && southboundProgress(facts, ovn, memory),
  };
}

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
