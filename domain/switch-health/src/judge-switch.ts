import { OVSNodeConditionType, type OVSNodeCondition, type OVSNodeStatus } from '@smalt/ovs-api';

import { conditionsOf } from './conditions/conditions-of.ts';
import { withTransitionTimes } from './conditions/with-transition-times.ts';
import type { HealthMemory } from './health-memory.ts';
import type { HealthSettings } from './health-settings.ts';
import { wallTime } from './format-time.ts';
import { listIssues } from './issues/list-issues.ts';
import { nextDue, weighFindings } from './issues/weigh-findings.ts';
import { allVerdicts } from './rules/all-verdicts.ts';
import { advanceHistories, nextHistoryChange } from './rules/histories/histories.ts';
import { judgedPorts } from './rules/ports/judged-port.ts';
import { statusOf } from './status/status-of.ts';
import type { SwitchFacts } from './switch-facts.ts';

/** What is thought of a switch, and when to look again even if nothing changes. */
export interface Judgement {
  readonly status: OVSNodeStatus;
  readonly memory: HealthMemory;
  /** When something that was found may begin to count. Judge again then, with facts of that time. */
  readonly reviewAt: number | undefined;
}

export interface JudgementInput {
  readonly facts: SwitchFacts;
  readonly memory: HealthMemory;
  readonly settings: HealthSettings;
}

/** Judges a switch. Judging the same facts again, with the memory that came back, changes nothing. */
export function judgeSwitch({ facts, memory, settings }: JudgementInput): Judgement {
  const ports = facts.configuration === undefined ? [] : judgedPorts(facts.configuration);
  const histories = advanceHistories({ facts, settings, ports }, memory);
  const verdicts = allVerdicts({ facts, settings, histories, ports });
  const weighed = weighFindings(verdicts, memory, facts.wallAheadMs);
  const previous = memory.conditions;
  const statements = conditionsOf({ facts, verdicts, sightings: weighed.sightings, previous });
  const conditions = withTransitionTimes(statements, previous, wallTime(facts));
  const status = {
    ...statusOf({ facts, settings, weighed, controller: controllerCondition(conditions) }),
    conditions,
    issues: listIssues(weighed, settings),
  };
  const dues = [nextDue(weighed, verdicts, facts.at), nextHistoryChange(histories, settings)].filter(
    (due) => due !== undefined,
  );
  const reviewAt = dues.length === 0 ? undefined : Math.min(...dues);
  return { status, memory: { ...histories, ...weighed, conditions }, reviewAt };
}

function controllerCondition(conditions: readonly OVSNodeCondition[]): OVSNodeCondition | undefined {
  return conditions.find(({ type }) => type === OVSNodeConditionType.ovnControllerConnected);
}
