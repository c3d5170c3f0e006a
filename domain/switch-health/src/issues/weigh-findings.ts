import { isRaised, type HealthMemory, type InheritedIssue, type Sighting } from '../health-memory.ts';
import { IssueRule } from '../issue-rule.ts';
import { isBlindFor, type Finding, type Verdict } from '../rules/finding.ts';

/** A rule that sees when both the database and the switch can be seen, for issues of which the rule is not known. */
const WITNESS = IssueRule.configurationBehind;

const SOON_MS = 1_000;

/** What was found, new and old, and whether it counts. */
export type Weighed = Pick<HealthMemory, 'sightings' | 'inherited'>;

/**
 * Takes the verdicts of this moment into what is remembered. A finding counts once it has been seen for long and often
 * enough, and from then on until a rule that can see it does not find it any more: what cannot be seen is not mended.
 * What begins to count gets its time from the clock on the wall, which is so far ahead.
 */
export function weighFindings(verdicts: readonly Verdict[], memory: Weighed, wallAheadMs: number): Weighed {
  const sightings = new Map<string, Sighting>();
  for (const verdict of verdicts) {
    for (const finding of verdict.findings) {
      const key = findingKey(finding);
      sightings.set(key, sighted(finding, memory.sightings.get(key), { ...memory, wallAheadMs }));
    }
    for (const [key, old] of memory.sightings) {
      const isOurs = old.finding.rule === verdict.rule && !sightings.has(key);
      if (isOurs && isBlindFor(verdict, old.finding.subject)) sightings.set(key, old);
    }
  }
  const claimed = new Set([...sightings.values()].map(({ finding }) => finding.message));
  return { sightings, inherited: memory.inherited.filter((issue) => isKept(issue, verdicts, claimed)) };
}

export function findingKey({ rule, subject }: { readonly rule: IssueRule; readonly subject: string }): string {
  return `${rule}/${subject}`;
}

/**
 * When the next of what was found just now may begin to count, if it stays. What has waited long enough and lacks only
 * newer evidence is looked at again soon.
 */
export function nextDue(weighed: Weighed, verdicts: readonly Verdict[], at: number): number | undefined {
  const dues = verdicts
    .flatMap(({ findings }) => findings)
    .map((finding) => weighed.sightings.get(findingKey(finding)))
    .filter((sighting) => sighting !== undefined)
    .filter((sighting) => !isRaised(sighting))
    .map(({ finding, firstAt }) => firstAt + finding.graceMs)
    .map((due) => (due > at ? due : at + SOON_MS));
  return dues.length === 0 ? undefined : Math.min(...dues);
}

function sighted(
  finding: Finding,
  old: Sighting | undefined,
  { inherited, wallAheadMs }: { readonly inherited: readonly InheritedIssue[]; readonly wallAheadMs: number },
): Sighting {
  const seenFirst = Math.min(finding.since ?? finding.seenAt, finding.seenAt);
  if (old !== undefined && isRaised(old)) return { ...old, finding, lastAt: Math.max(old.lastAt, finding.seenAt) };
  const before = inherited.find(
    ({ rule, message }) => message === finding.message || (rule === finding.rule && old === undefined),
  );
  if (before !== undefined) {
    const detectedAt = Math.min(before.detectedAt, seenFirst + wallAheadMs);
    return { finding, firstAt: seenFirst, lastAt: finding.seenAt, count: 1, detectedAt };
  }
  // Facts that tell since when know better than what was seen before: it may have been well in between.
  const firstAt = finding.since === undefined ? Math.min(old?.firstAt ?? seenFirst, seenFirst) : seenFirst;
  const isAnew = old === undefined || finding.seenAt > old.lastAt;
  const count = (old?.count ?? 0) + (isAnew ? 1 : 0);
  const counts = finding.seenAt - firstAt >= finding.graceMs && count >= (finding.sightings ?? 1);
  const lastAt = Math.max(old?.lastAt ?? finding.seenAt, finding.seenAt);
  return { finding, firstAt, lastAt, count, detectedAt: counts ? firstAt + wallAheadMs : undefined };
}

// An issue of an earlier run stays until whatever could find it again has looked.
function isKept(issue: InheritedIssue, verdicts: readonly Verdict[], claimed: ReadonlySet<string>): boolean {
  if (claimed.has(issue.message)) return false;
  const concerned = verdicts.filter(({ rule }) => rule === (issue.rule ?? WITNESS));
  return concerned.some(({ blind }) => blind !== undefined && blind.subjects === undefined);
}
