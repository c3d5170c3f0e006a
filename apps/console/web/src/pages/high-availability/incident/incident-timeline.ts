import type { Tone } from '../../../parts/status-badge.tsx';
import type { Incident, JournalEntry } from '../fleet-objects.ts';
import { sourceWords } from '../words.ts';

/** One step of an incident, with what it rests on. */
export interface TimelineStep {
  readonly key: string;
  readonly at: string;
  readonly tone: Tone;
  readonly words: string;
  /** What was seen or answered, one line each. */
  readonly evidence: readonly string[];
}

/** The story of an incident from the last sign of life to its end, the oldest first. */
export function incidentTimeline(incident: Incident, journal: readonly JournalEntry[]): readonly TimelineStep[] {
  const lines = journal
    .filter(({ incidentId, what }) => incidentId === incident.id && !TOLD_BY_INCIDENT.has(what))
    .map(lineStep);
  const steps = [...lastLife(incident), opened(incident), ...fences(incident), ...readings(incident), ...lines];
  return [...steps, ...proof(incident)].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** The incident itself tells of these, with what they rest on: once is enough. */
const TOLD_BY_INCIDENT: ReadonlySet<string> = new Set(['incident-opened', 'fence']);

function lastLife({ lastLifeAt }: Incident): readonly TimelineStep[] {
  return lastLifeAt === null
    ? []
    : [{ key: 'life', at: lastLifeAt, tone: 'good', words: 'Last sign of life', evidence: [] }];
}

function opened({ openedAt, host, condemnedBy }: Incident): TimelineStep {
  const evidence = condemnedBy.map((source) => `${sourceWords(source)} says that it is dead`);
  return { key: 'opened', at: openedAt, tone: 'bad', words: `${host} is taken for lost`, evidence };
}

function fences({ fences: orders }: Incident): readonly TimelineStep[] {
  return orders.map(({ method, askedAt, answer }, index) => ({
    key: `fence-${index}`,
    at: askedAt,
    tone: 'warning',
    words: `Told to power off by ${method}`,
    evidence: [answer ?? 'no answer yet'],
  }));
}

function readings({ readings: all }: Incident): readonly TimelineStep[] {
  return alikeInARow(all).map(({ first: { at, method, power, message }, times }) => ({
    key: `reading-${at}`,
    at,
    tone: power === 'off' ? 'good' : 'warning',
    words: `Its power reads ${power} by ${method}`,
    evidence: [...(message === null ? [] : [message]), ...(times === 1 ? [] : [`${times} times in a row`])],
  }));
}

type Reading = Incident['readings'][number];

interface Readings {
  readonly first: Reading;
  readonly times: number;
}

/** Readings that say the same one after the other are one step. */
function alikeInARow(all: readonly Reading[]): readonly Readings[] {
  const runs: Readings[] = [];
  for (const reading of all) {
    const last = runs.at(-1);
    if (last !== undefined && isAlike(last.first, reading)) runs.splice(-1, 1, { ...last, times: last.times + 1 });
    else runs.push({ first: reading, times: 1 });
  }
  return runs;
}

function isAlike(one: Reading, other: Reading): boolean {
  return one.power === other.power && one.method === other.method && one.message === other.message;
}

function proof(incident: Incident): readonly TimelineStep[] {
  const { proof: found } = incident;
  if (found === null) return [];
  const evidence =
    found.kind === 'person'
      ? [`${found.by}: ${found.note}`]
      : [`${found.readings} readings in a row say that it is off`];
  return [{ key: 'proof', at: provedAt(incident, found), tone: 'good', words: 'Proved to be off', evidence }];
}

/** Readings prove nothing before the last of them, though they count from the first. */
function provedAt({ readings: all }: Incident, found: NonNullable<Incident['proof']>): string {
  if (found.kind === 'person') return found.since;
  const counted = all.filter(({ at, power }) => power === 'off' && Date.parse(at) >= Date.parse(found.since));
  return counted[found.readings - 1]?.at ?? found.since;
}

const TONES = { info: 'quiet', warning: 'warning', critical: 'bad' } as const;

function lineStep({ id, at, severity, message, by }: JournalEntry): TimelineStep {
  // What a person said begins with who they are.
  const isNamed = by === null || message.includes(by);
  return { key: id, at, tone: TONES[severity], words: message, evidence: isNamed ? [] : [`by ${by}`] };
}
