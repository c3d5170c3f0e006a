import type { Finding } from '../finding.ts';
import type { HealthSettings } from '../../health-settings.ts';
import { isComingAndGoing, type Fault, type Steadiness } from '../histories/steadiness.ts';

export interface SteadinessView {
  /** What it is: `Bond bond0`. */
  readonly name: string;
  readonly steadiness: Steadiness | undefined;
  /** What is wrong with it now. */
  readonly present: Fault | undefined;
  readonly at: number;
  readonly settings: HealthSettings;
}

/** What is said of something that fails: at once unless it is new, and until it has held for long enough. */
export function steadinessFinding(
  { name, steadiness, present, at, settings }: SteadinessView,
  part: Pick<Finding, 'rule' | 'subject' | 'advice'>,
): readonly Finding[] {
  if (steadiness === undefined) return [];
  const { told, isWell, since, settlesFrom } = steadiness;
  const fault = told ?? present;
  if (fault === undefined) return [];
  const { severity, word, troubles } = fault;
  const how = isComingAndGoing(steadiness, at, settings)
    ? `comes and goes (${word})`
    : `${isWell ? 'was' : 'is'} ${word}${isWell ? ' until a moment ago' : ''}`;
  const message = `${name} ${how}${troubles === '' ? '' : `: ${troubles}`}`;
  const graceMs = told === undefined ? Math.max(0, settlesFrom + settings.settleMs - since) : 0;
  return [{ ...part, severity, message, seenAt: at, ...(!isWell && { since }), graceMs }];
}
