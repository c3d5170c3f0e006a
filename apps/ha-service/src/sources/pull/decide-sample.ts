import type { SignalSample } from '../../ports/telemetry-store.ts';
import type { PullHost, PullMeaning, PullOperator, PullRule } from './pull-settings.ts';
import type { PullReading } from './pull-reading.ts';
import { wholeMatch } from './pull-settings-problems.ts';

const MOST_CHARACTERS = 1_000;

/** When an answer was asked for and came, in service time, and what the clock of the endpoint said then. */
export interface AnswerTimes {
  readonly askedAt: number;
  readonly cameAt: number;
  /** In milliseconds since 1970. */
  readonly endpointNow: number;
}

/** Decides what one reading says of which host; undefined when it says nothing. */
export type SampleDecision = (reading: PullReading, times: AnswerTimes) => SignalSample | undefined;

/** Makes the decision of a rule, so that its expressions are read once. */
export function sampleDecision({ source, where, host, meaning }: PullRule): SampleDecision {
  const conditions = Object.entries(where).map(([name, text]) => [name, wholeMatch(text)] as const);
  const hostOf = hostDecision(host);
  return (reading, times) => {
    const isMeant = conditions.every(([name, expression]) => expression.test(clipped(reading.field(name))));
    const name = isMeant ? hostOf(reading) : undefined;
    const word = name === undefined ? undefined : wordOf(meaning, reading, times);
    return name === undefined || word === undefined ? undefined : { host: name, source, ...word };
  };
}

// A label that is not there is an empty one, as in Prometheus; nobody's name is longer than this.
function clipped(text: string | undefined): string {
  return (text ?? '').slice(0, MOST_CHARACTERS);
}

function hostDecision({ from, pattern, name, known }: PullHost): (reading: PullReading) => string | undefined {
  const expression = pattern === undefined ? undefined : wholeMatch(pattern);
  const names = known === undefined ? undefined : new Map(Object.entries(known));
  return (reading) => {
    const text = clipped(reading.field(from));
    const match = expression?.exec(text);
    if (text === '' || match === null) return undefined;
    const made = match === undefined ? text : expand(name ?? (match.length > 1 ? '$1' : '$0'), match);
    const host = names === undefined ? made : names.get(made);
    return host === '' ? undefined : host;
  };
}

function expand(template: string, match: RegExpExecArray): string {
  return template.replaceAll(/\$(\d)/g, (_, digit: string) => match[Number(digit)] ?? '');
}

function wordOf(
  meaning: PullMeaning,
  { value, timeMs }: PullReading,
  { askedAt, cameAt, endpointNow }: AnswerTimes,
): Pick<SignalSample, 'kind' | 'at'> | undefined {
  // A value may be older than the answer that holds it. A clock that is ahead makes nothing newer than it came.
  const valueAge = timeMs === undefined ? 0 : Math.max(0, endpointNow - timeMs);
  switch (meaning.kind) {
    case 'age':
      // Less than nothing is no age; who says so does not know.
      return value < 0 ? undefined : { kind: 'alive', at: cameAt - valueAge - value * 1_000 };
    case 'moment':
      // An exporter says 0 where nothing ever happened.
      return value <= 0 ? undefined : { kind: 'alive', at: cameAt - Math.max(0, endpointNow - value * 1_000) };
    case 'compare':
      if (compares(value, meaning.operator, meaning.than)) return { kind: 'alive', at: cameAt - valueAge };
      return meaning.otherwise === 'dead' ? { kind: 'dead', at: askedAt - valueAge } : undefined;
  }
}

function compares(value: number, operator: PullOperator, than: number): boolean {
  switch (operator) {
    case '==':
      return value === than;
    case '!=':
      return value !== than;
    case '<':
      return value < than;
    case '<=':
      return value <= than;
    case '>':
      return value > than;
    case '>=':
      return value >= than;
  }
}
