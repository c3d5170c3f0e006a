import type { OVSNodeCondition } from '@smalt/ovs-api';

import { isRaised, type Sighting } from '../health-memory.ts';
import { IssueRule } from '../issue-rule.ts';
import type { Finding, Verdict } from '../rules/finding.ts';

/** A condition before its time of transition is known. */
export type ConditionStatement = Pick<OVSNodeCondition, 'type' | 'status'> & {
  readonly reason: string;
  readonly message: string;
};

/** What a condition stands on. */
export interface ConditionBasis {
  readonly type: string;
  /** What the rules said that it fails by. */
  readonly verdicts: readonly Verdict[];
  /** What was found by them, whether it counts yet or not. */
  readonly sightings: readonly Sighting[];
  readonly previous: OVSNodeCondition | undefined;
  /** What is said when all is well. */
  readonly healthy: { readonly reason: string; readonly message: string };
}

const NAMED = 3;

const asides: ReadonlySet<IssueRule> = new Set([
  IssueRule.southboundFlapping,
  IssueRule.southboundUnreadable,
  IssueRule.chassisNotRegistered,
  IssueRule.controllerNotOnSwitch,
  IssueRule.controllerPaused,
  IssueRule.controllerBehind,
]);

/**
 * False by what counts, Unknown where nobody can see, True otherwise. What is found but does not count yet leaves a
 * condition as it was, so it can neither fail by it nor recover.
 */
export function stateCondition({ type, verdicts, sightings, previous, healthy }: ConditionBasis): ConditionStatement {
  const seen = sightings.filter((sighting) => verdicts.some(({ findings }) => findings.includes(sighting.finding)));
  const raised = seen.filter(isRaised).map(({ finding }) => finding);
  const [first] = raised;
  if (first !== undefined) {
    return { type, status: 'False', reason: first.reason ?? first.rule, message: messageOf(raised) };
  }
  const wasTrue = previous?.status === 'True';
  const blind = verdicts.find((verdict) => isBlindingFor(verdict, sightings, wasTrue))?.blind;
  if (blind !== undefined) {
    return {
      type,
      status: 'Unknown',
      reason: blind.reason,
      message: sentence(`Nothing can be said, because ${blind.why}`),
    };
  }
  const pending = seen.find((sighting) => !isRaised(sighting))?.finding;
  if (pending !== undefined && !wasTrue) {
    const message = sentence(`It is not sure yet: ${pending.message}`);
    return { type, status: previous?.status ?? 'Unknown', reason: 'Settling', message };
  }
  return { type, status: 'True', ...healthy };
}

// What is only looked at beside the main thing need not be seen, unless something was found there before.
function isBlindingFor({ rule, blind }: Verdict, sightings: readonly Sighting[], wasTrue: boolean): boolean {
  if (blind === undefined || (blind.isMomentary === true && wasTrue)) return false;
  return !asides.has(rule) || sightings.some((sighting) => isRaised(sighting) && sighting.finding.rule === rule);
}

function messageOf(raised: readonly Finding[]): string {
  const told = raised.slice(0, NAMED).map(({ message, advice }) => `${sentence(message)} ${sentence(advice)}`);
  const more = raised.length > NAMED ? [`And ${raised.length - NAMED} more.`] : [];
  return [...told, ...more].join(' ');
}

function sentence(text: string): string {
  return /[.?!…]$/.test(text) ? text : `${text}.`;
}
