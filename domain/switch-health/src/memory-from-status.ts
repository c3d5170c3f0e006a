import type { Issue, OVSNodeStatus } from '@smalt/ovs-api';

import { emptyMemory, type HealthMemory, type InheritedIssue, type Sighting } from './health-memory.ts';
import { isIssueRule } from './issue-rule.ts';
import { findingKey } from './issues/weigh-findings.ts';
import type { Severity } from './rules/finding.ts';

/** The memory of an agent that takes over from an earlier run: issues and conditions keep their times. */
export function memoryFromStatus(status: OVSNodeStatus | undefined): HealthMemory {
  const issues = status?.issues ?? [];
  const sightings = issues.map((issue) => sightingOf(issue)).filter((sighting) => sighting !== undefined);
  return {
    ...emptyMemory,
    sightings: new Map(sightings.map((sighting) => [findingKey(sighting.finding), sighting])),
    inherited: issues.filter((issue) => sightingOf(issue) === undefined).flatMap((issue) => inheritedOf(issue)),
    conditions: status?.conditions ?? [],
  };
}

function sightingOf(issue: Issue): Sighting | undefined {
  const at = timeOf(issue);
  const { reason, subject, message, advice = '' } = issue;
  if (at === undefined || subject === undefined || !isIssueRule(reason) || !isSeverity(issue.severity))
    return undefined;
  const finding = { rule: reason, subject, severity: issue.severity, message, advice, seenAt: at, graceMs: 0 };
  return { finding, firstAt: at, lastAt: at, count: 1, detectedAt: at };
}

function inheritedOf(issue: Issue): readonly InheritedIssue[] {
  const detectedAt = timeOf(issue);
  if (detectedAt === undefined || !isSeverity(issue.severity)) return [];
  const rule = isIssueRule(issue.reason) ? issue.reason : undefined;
  return [{ rule, severity: issue.severity, message: issue.message, detectedAt }];
}

function timeOf({ detectedAt }: Issue): number | undefined {
  const at = Date.parse(detectedAt ?? '');
  return Number.isNaN(at) ? undefined : at;
}

function isSeverity(word: string): word is Severity {
  return word === 'Info' || word === 'Warning' || word === 'Critical';
}
