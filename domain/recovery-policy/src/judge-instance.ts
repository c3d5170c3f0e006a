import type { ComputeInstance } from '@smalt/compute';

import type { InstanceRules, MarkSource } from './recovery-policy.ts';
import type { HostPlace } from './segment-of.ts';

/** What of an instance decides whether it is rebuilt. */
export type JudgedInstance = Pick<ComputeInstance, 'state' | 'stateText' | 'metadata' | 'flavorProperties'>;

export interface InstanceJudgement {
  /** Whether it is to be rebuilt when its host is lost, and kept going while it is not. */
  readonly isRelevant: boolean;
  /** Higher ones come first. */
  readonly priority: number;
  /** A sentence without a subject: `is marked HA_Enabled: true by its owner`. */
  readonly why: string;
}

/** Says whether an instance is highly available, how important it is, and who has said so. */
export function judgeInstance(
  instance: JudgedInstance,
  host: Pick<HostPlace, 'aggregates'>,
  rules: InstanceRules,
): InstanceJudgement {
  const marks = rules.sources.map((source) => ({ source, texts: textsOf(source, instance, host, rules) }));
  const priority = firstPriority(marks) ?? rules.defaultPriority;
  const { state, stateText } = instance;
  if (state === 'deleting' || state === 'shelved') {
    return { isRelevant: false, priority, why: `is ${stateText}, so there is nothing to rebuild` };
  }
  const decided = firstMark(marks);
  const unread = decided === undefined ? unreadable(marks, rules) : '';
  if (decided !== undefined) {
    const why = `is marked ${rules.enabledKey}: ${String(decided.isEnabled)} by ${nameOf(decided.source)}`;
    return { isRelevant: decided.isEnabled, priority, why };
  }
  return rules.mode === 'all'
    ? { isRelevant: true, priority, why: `is not marked, and all are meant${unread}` }
    : { isRelevant: false, priority, why: `is not marked ${rules.enabledKey}: true${unread}` };
}

interface SourceMarks {
  readonly source: MarkSource;
  readonly texts: { readonly enabled: readonly string[]; readonly priority: readonly string[] };
}

function textsOf(
  source: MarkSource,
  instance: JudgedInstance,
  host: Pick<HostPlace, 'aggregates'>,
  { enabledKey, priorityKey }: InstanceRules,
): SourceMarks['texts'] {
  const maps = notesOf(source, instance, host);
  const read = (key: string) => maps.map((each) => each[key]).filter((text) => text !== undefined);
  return { enabled: read(enabledKey), priority: read(priorityKey) };
}

function notesOf(
  source: MarkSource,
  instance: JudgedInstance,
  host: Pick<HostPlace, 'aggregates'>,
): readonly Readonly<Record<string, string>>[] {
  switch (source) {
    case 'metadata':
      return [instance.metadata];
    case 'flavor':
      return [instance.flavorProperties];
    case 'aggregate':
      return host.aggregates.map(({ metadata }) => metadata ?? {});
  }
}

/** The first source with a mark that can be read. Where aggregates disagree, the one that protects counts. */
function firstMark(marks: readonly SourceMarks[]): { isEnabled: boolean; source: MarkSource } | undefined {
  for (const { source, texts } of marks) {
    const words = texts.enabled.map(readMark).filter((word) => word !== undefined);
    if (words.length > 0) return { isEnabled: words.includes(true), source };
  }
  return undefined;
}

/** The first source with a priority that can be read. Where aggregates disagree, the highest counts. */
function firstPriority(marks: readonly SourceMarks[]): number | undefined {
  for (const { texts } of marks) {
    const numbers = texts.priority.map(readPriority).filter((number) => number !== undefined);
    if (numbers.length > 0) return Math.max(...numbers);
  }
  return undefined;
}

const YES = new Set(['true', 'yes', 'on', '1']);
const NO = new Set(['false', 'no', 'off', '0']);

function readMark(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}

/** Owners write these, so nobody gets ahead of all others for ever by a number that is too large to be beaten. */
function readPriority(text: string): number | undefined {
  if (!/^\s*-?\d{1,9}\s*$/u.test(text)) return undefined;
  return Math.min(MOST_PRIORITY, Math.max(-MOST_PRIORITY, Number(text)));
}
const MOST_PRIORITY = 1_000;

function unreadable(marks: readonly SourceMarks[], { enabledKey }: InstanceRules): string {
  const found = marks.find(({ texts }) => texts.enabled.length > 0);
  if (found === undefined) return '';
  return `; ${enabledKey}: ${JSON.stringify(found.texts.enabled[0])} of ${nameOf(found.source)} is neither true nor false`;
}

function nameOf(source: MarkSource): string {
  switch (source) {
    case 'metadata':
      return 'its owner';
    case 'flavor':
      return 'its flavor';
    case 'aggregate':
      return 'an aggregate of its host';
  }
}
