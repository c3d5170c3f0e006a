import type { Issue } from '@smalt/ovs-api';

import type { InheritedIssue, Sighting } from '../health-memory.ts';
import type { HealthSettings } from '../health-settings.ts';
import { issueRules } from '../issue-rule.ts';
import { formatTime } from '../format-time.ts';
import type { Weighed } from './weigh-findings.ts';

const SEVERITIES: readonly string[] = ['Critical', 'Warning', 'Info'];

type Limits = Pick<HealthSettings, 'maximumIssues' | 'maximumIssuesPerRule'>;

/** An issue with what it is sorted by. */
interface Entry {
  readonly issue: Issue;
  readonly at: number;
}

type ToldSighting = Pick<Sighting, 'finding'> & { readonly detectedAt: number };

/** The issues as the object lists them: the gravest first, then the oldest; what is too much is counted. */
export function listIssues({ sightings, inherited }: Weighed, limits: Limits): readonly Issue[] {
  const raised = [...sightings.values()].flatMap(told);
  const byRule = Map.groupBy(raised, ({ finding }) => finding.rule);
  const found = [...byRule.values()].flatMap((ofRule) => entriesOf(ofRule, limits.maximumIssuesPerRule));
  const entries = [...found, ...inherited.map((issue) => inheritedEntry(issue))].toSorted(compareEntries);
  if (entries.length <= limits.maximumIssues) return entries.map(({ issue }) => issue);
  const rest = entries.slice(limits.maximumIssues - 1);
  const more = { severity: rest[0]?.issue.severity ?? 'Info', message: `and ${rest.length} more issues` };
  const detectedAt = formatTime(Math.min(...rest.map(({ at }) => at)));
  return [...entries.slice(0, limits.maximumIssues - 1).map(({ issue }) => issue), { ...more, detectedAt }];
}

function told({ finding, detectedAt }: Sighting): readonly ToldSighting[] {
  return detectedAt === undefined ? [] : [{ finding, detectedAt }];
}

function entriesOf(sightings: readonly ToldSighting[], maximum: number): readonly Entry[] {
  const all = sightings.toSorted(
    (a, b) =>
      compareSeverity(a.finding.severity, b.finding.severity) ||
      a.detectedAt - b.detectedAt ||
      (a.finding.subject < b.finding.subject ? -1 : 1),
  );
  if (all.length <= maximum) return all.map((sighting) => entry(sighting));
  const [listed, rest] = [all.slice(0, maximum), all.slice(maximum)];
  const { rule, severity } = (rest[0] ?? sightings[0])?.finding ?? {};
  const at = Math.min(...rest.map(({ detectedAt }) => detectedAt));
  const more = { message: `and ${rest.length} more of this kind: ${rule}`, detectedAt: formatTime(at) };
  return [
    ...listed.map((sighting) => entry(sighting)),
    { issue: { severity: severity ?? 'Info', ...(rule !== undefined && { reason: rule }), ...more }, at },
  ];
}

function entry({ finding, detectedAt }: ToldSighting): Entry {
  const { severity, message, rule: reason, subject, advice } = finding;
  const issue = { severity, message, reason, subject, ...(advice !== '' && { advice }) };
  return { issue: { ...issue, detectedAt: formatTime(detectedAt) }, at: detectedAt };
}

function inheritedEntry({ severity, message, rule, detectedAt }: InheritedIssue): Entry {
  const issue = { severity, message, ...(rule !== undefined && { reason: rule }), detectedAt: formatTime(detectedAt) };
  return { issue, at: detectedAt };
}

function compareEntries(a: Entry, b: Entry): number {
  return (
    compareSeverity(a.issue.severity, b.issue.severity) ||
    ruleOrder(a.issue) - ruleOrder(b.issue) ||
    // What is counted stands below what is listed.
    Number(a.issue.subject === undefined) - Number(b.issue.subject === undefined) ||
    a.at - b.at ||
    (a.issue.message < b.issue.message ? -1 : 1)
  );
}

function compareSeverity(a: string, b: string): number {
  return SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b);
}

function ruleOrder({ reason }: Issue): number {
  return issueRules.findIndex((rule) => rule === reason);
}
