import type { Issue, OVSNode } from '@smalt/ovs-api';

import type { Tone } from '../../parts/status-badge.tsx';

export interface SwitchState {
  readonly tone: Tone;
  readonly words: string;
}

/** How a switch does, in words: by its worst issue, and by whether it is ready. */
export function switchState({ status }: Pick<OVSNode, 'status'>): SwitchState {
  const { conditions = [], issues = [] } = status ?? {};
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (ready === undefined) return { tone: 'quiet', words: 'Not reported yet' };
  if (ready.status === 'Unknown') return { tone: 'warning', words: 'Unknown' };
  if (ready.status === 'False') return { tone: 'bad', words: 'Not ready' };
  const worst = worstTone(issues);
  if (worst === 'bad') return { tone: 'bad', words: 'Critical issues' };
  if (worst === 'warning') return { tone: 'warning', words: 'Works, with issues' };
  return { tone: 'good', words: 'Healthy' };
}

/** Why it is not ready, in the agent's words; undefined when it is. */
export function whySwitchNotReady({ status }: Pick<OVSNode, 'status'>): string | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready === undefined || ready.status === 'True') return undefined;
  return ready.message ?? ready.reason ?? 'The agent does not say why.';
}

export function issueTone({ severity }: Pick<Issue, 'severity'>): Tone {
  switch (severity) {
    case 'Critical':
      return 'bad';
    case 'Warning':
      return 'warning';
    default:
      return 'quiet';
  }
}

/** The issues, the worst and then the oldest first. */
export function sortIssues(issues: readonly Issue[]): readonly Issue[] {
  return issues.toSorted(
    (a, b) => WEIGHT[issueTone(b)] - WEIGHT[issueTone(a)] || (a.detectedAt ?? '').localeCompare(b.detectedAt ?? ''),
  );
}

/** How many issues there are of which weight, such as `1 critical, 2 warnings`. */
export function issueCounts(issues: readonly Issue[]): string {
  const count = (tone: Tone): number => issues.filter((issue) => issueTone(issue) === tone).length;
  const [critical, warnings, others] = [count('bad'), count('warning'), count('quiet')];
  const parts = [
    critical === 0 ? undefined : `${critical} critical`,
    warnings === 0 ? undefined : `${warnings} warning${warnings === 1 ? '' : 's'}`,
    others === 0 ? undefined : `${others} to know`,
  ];
  return parts.filter((part) => part !== undefined).join(', ') || 'none';
}

const WEIGHT: Readonly<Record<Tone, number>> = { bad: 4, warning: 3, busy: 2, quiet: 1, good: 0 };

function worstTone(issues: readonly Issue[]): Tone | undefined {
  const [first] = sortIssues(issues);
  return first === undefined ? undefined : issueTone(first);
}
