import { OVSNodeConditionType, type OVSNodeCondition } from '@smalt/ovs-api';

import type { HealthMemory, Sighting } from '../health-memory.ts';
import { IssueRule } from '../issue-rule.ts';
import type { Verdict } from '../rules/finding.ts';
import { isUnprobed } from '../rules/ovn/southbound-rules.ts';
import type { SwitchFacts } from '../switch-facts.ts';
import { stateCondition, type ConditionStatement } from './condition-statement.ts';
import { NOT_CONFIGURED, readyStatement } from './ready-statement.ts';

/** What conditions are made from. */
export interface ConditionsInput {
  readonly facts: SwitchFacts;
  readonly verdicts: readonly Verdict[];
  readonly sightings: HealthMemory['sightings'];
  readonly previous: readonly OVSNodeCondition[];
}

/** The statements of all five conditions, Ready first. */
export function conditionsOf(input: ConditionsInput): readonly ConditionStatement[] {
  const { facts } = input;
  const database = state(input, OVSNodeConditionType.ovsdbConnected, [IssueRule.databaseUnreachable], {
    reason: 'Connected',
    message: 'The database of Open vSwitch answers.',
  });
  const bridges = state(input, OVSNodeConditionType.allBridgesHealthy, [IssueRule.bridgeUnhealthy], {
    reason: facts.configuration?.bridges.length === 0 ? 'NoBridges' : 'BridgesActive',
    message: facts.configuration?.bridges.length === 0 ? 'There are no bridges.' : 'All bridges work.',
  });
  const hasBonds = facts.configuration?.bridges.some(({ ports }) => ports.some((port) => port.interfaces.length > 1));
  const bonds = state(input, OVSNodeConditionType.allBondsHealthy, [IssueRule.bondUnhealthy], {
    reason: hasBonds === true ? 'BondsActive' : 'NoBonds',
    message: hasBonds === true ? 'All members of all bonds carry traffic.' : 'There are no bonds.',
  });
  const parts = [database, controllerStatement(input), bridges, bonds];
  const switchItself = state(
    input,
    OVSNodeConditionType.ready,
    [IssueRule.vswitchdDown, IssueRule.configurationBehind],
    {
      reason: 'Healthy',
      message: 'Open vSwitch works.',
    },
  );
  return [readyStatement(switchItself, parts), ...parts];
}

function controllerStatement(input: ConditionsInput): ConditionStatement {
  const type = OVSNodeConditionType.ovnControllerConnected;
  if (input.facts.ovn === undefined) {
    const message = 'Nothing of OVN is configured or runs on this node.';
    return { type, status: 'Unknown', reason: NOT_CONFIGURED, message };
  }
  const rules: readonly IssueRule[] = [
    IssueRule.controllerDown,
    IssueRule.southboundDisconnected,
    IssueRule.southboundFlapping,
    // With a remote that is probed ovn-controller itself notices, and that we cannot read it is our trouble alone.
    ...(isUnprobed(input.facts) ? [IssueRule.southboundUnreadable] : []),
    IssueRule.chassisNotRegistered,
    IssueRule.controllerNotOnSwitch,
    IssueRule.controllerPaused,
    IssueRule.controllerBehind,
  ];
  return state(input, type, rules, {
    reason: 'Connected',
    message: 'ovn-controller is connected to the southbound database and to ovs-vswitchd.',
  });
}

function state(
  { verdicts, sightings, previous }: ConditionsInput,
  type: string,
  rules: readonly IssueRule[],
  healthy: { readonly reason: string; readonly message: string },
): ConditionStatement {
  const concerned = rules.flatMap((rule) => verdicts.filter((verdict) => verdict.rule === rule));
  return stateCondition({
    type,
    verdicts: concerned,
    sightings: rules.flatMap((rule) => sightingsOf(sightings, rule)),
    previous: previous.find((condition) => condition.type === type),
    healthy,
  });
}

function sightingsOf(sightings: HealthMemory['sightings'], rule: IssueRule): readonly Sighting[] {
  return [...sightings.values()].filter(({ finding }) => finding.rule === rule);
}
