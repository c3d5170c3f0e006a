/** How bad something is: nothing to do, something to know, something to mend. */
export type FindingLevel = 'good' | 'warning' | 'problem';

/** One thing that was looked at. */
export interface Finding {
  readonly area: 'machine' | 'fleet';
  readonly level: FindingLevel;
  /** What was looked at, in a few words. */
  readonly what: string;
  readonly found: string;
  /** What to do about it. */
  readonly next?: string;
}

/** The part of a finding that a check decides on. */
export type Verdict = Omit<Finding, 'area'>;

export function good(what: string, found: string): Verdict {
  return { level: 'good', what, found };
}

export function warning(what: string, found: string, next: string): Verdict {
  return { level: 'warning', what, found, next };
}

export function problem(what: string, found: string, next: string): Verdict {
  return { level: 'problem', what, found, next };
}
