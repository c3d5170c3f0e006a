import type { IssueRule } from '../issue-rule.ts';

export type Severity = 'Info' | 'Warning' | 'Critical';

/** Something that a rule sees in the facts of this moment. Whether it counts is decided by how long it has been seen. */
export interface Finding {
  readonly rule: IssueRule;
  /** What it is about: a port, a bridge, a daemon. With the rule it tells whether two findings are the same. */
  readonly subject: string;
  readonly severity: Severity;
  /** The same words for as long as it lasts: no ages. */
  readonly message: string;
  /** What a person does next, as a sentence. Names in a command are quoted for a shell. */
  readonly advice: string;
  /** The word for a condition that fails by it; the rule's where it is left out. */
  readonly reason?: string;
  /** When the evidence is from. */
  readonly seenAt: number;
  /** Since when it is known to be so, where the facts tell. */
  readonly since?: number;
  readonly graceMs: number;
  /** How often it must be seen; once where it is left out. */
  readonly sightings?: number;
}

/** What one rule says. What it is blind for is neither found nor mended. */
export interface Verdict {
  readonly rule: IssueRule;
  readonly findings: readonly Finding[];
  readonly blind?: Blindness;
}

export interface Blindness {
  readonly why: string;
  /** The CamelCase word for a condition that is Unknown by it. */
  readonly reason: string;
  /** Of these only; of everything where it is left out. */
  readonly subjects?: ReadonlySet<string>;
  /** Of something new that will be seen in a moment: a condition that holds goes on to. */
  readonly isMomentary?: boolean;
}

export function isBlindFor(verdict: Verdict, subject: string): boolean {
  const { blind } = verdict;
  return blind !== undefined && (blind.subjects === undefined || blind.subjects.has(subject));
}
