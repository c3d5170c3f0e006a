import type { DetectionSettings } from '../detection-settings.ts';
import { acquit, closeIncident, closeNeedless, waitFor } from './incident-change.ts';
import { isOver, type HeardWord, type Incident, type PowerReading } from './incident.ts';
import type { IncidentFacts, NextSteps, PersonDecision } from './incident-facts.ts';
import { hearCleanUp } from '../rebuild/plan-clean-up.ts';
import { planFence, startFence } from '../fence/plan-fence.ts';
import { planForceDown } from '../rebuild/plan-force-down.ts';
import { planRebuild } from '../rebuild/plan-rebuild.ts';
import { objectionToWord } from '../fence/prove-off.ts';

const MOST_READINGS = 50;

/**
 * Decides what is done next about one incident. Save the incident it returns, then carry out the actions, then come back
 * with the answers; whoever is stopped anywhere in between comes back without them.
 */
export function nextSteps(
  incident: Incident,
  facts: IncidentFacts,
  settings: Pick<DetectionSettings, 'recovery'>,
  now: number,
): NextSteps {
  if (isOver(incident)) return { incident, actions: [] };
  const known = withoutWithheld(hearCleanUp(learn(incident, facts, now), facts.cleanUpAnswer), facts.withheldFence);
  const steps = tellDoubt(stepsOf(known, facts, settings, now), facts, settings.recovery, now);
  return isSame(incident, steps.incident)
    ? { ...steps, incident }
    : { ...steps, incident: { ...steps.incident, revision: incident.revision + 1 } };
}

function stepsOf(
  incident: Incident,
  facts: IncidentFacts,
  settings: Pick<DetectionSettings, 'recovery'>,
  now: number,
): NextSteps {
  const closing = facts.decisions.find(
    ({ kind, host, incidentId }) => kind === 'close' && host === incident.host && incidentId === incident.id,
  );
  if (closing !== undefined) return closeByPerson(incident, closing, now);
  switch (incident.state) {
    case 'detected':
      return agree(incident, facts, now);
    case 'fencing':
      return planFence(incident, facts, settings.recovery, now);
    case 'forcing-down':
      return planForceDown(incident, facts, settings.recovery, now);
    case 'rebuilding':
      return planRebuild(incident, facts, settings.recovery, now);
    case 'recovered':
    case 'acquitted':
    case 'closed':
    case 'failed':
      return { incident, actions: [] };
  }
}

/** Whether its host was declared dead is kept: nothing else of a closed incident tells, and others start its instances by it. */
function closeByPerson(incident: Incident, { by, note }: PersonDecision, now: number): NextSteps {
  const isDeclaredDead = incident.state === 'rebuilding';
  return closeIncident({ ...incident, isDeclaredDead }, 'closed', `${by}: ${note}`, now);
}

/**
 * An order that was never given is no attempt. Without any order the host has to be condemned anew, and a sign of life
 * still ends it.
 */
function withoutWithheld(incident: Incident, askedAt: number | undefined): Incident {
  const last = incident.fences.at(-1);
  if (incident.state !== 'fencing' || askedAt === undefined || last?.askedAt !== askedAt) return incident;
  const fences = incident.fences.slice(0, -1);
  return { ...incident, fences, state: fences.length === 0 ? 'detected' : 'fencing' };
}

/** Takes in what was heard since. Readings are kept in order, and not without end. */
function learn(incident: Incident, facts: IncidentFacts, now: number): Incident {
  const lastLifeAt = Math.max(
    incident.lastLifeAt ?? Number.NEGATIVE_INFINITY,
    facts.lastLifeAt ?? Number.NEGATIVE_INFINITY,
  );
  const readings =
    facts.readings.length === 0
      ? incident.readings
      : newest([...incident.readings, ...facts.readings].toSorted((a, b) => a.at - b.at));
  const heard = {
    ...incident,
    readings,
    lastLifeAt: Number.isFinite(lastLifeAt) ? lastLifeAt : undefined,
    ...seenSign(incident, facts.lifeSign, now),
    fenceMethods: incident.fences.length === 0 ? (facts.fenceMethods ?? incident.fenceMethods) : incident.fenceMethods,
  };
  const words = newWords(incident, facts, now);
  return words.length === 0 ? heard : { ...heard, words: [...(incident.words ?? []), ...words] };
}

/** One of which nothing was known before the proof was made counts as the last one before it. */
function seenSign(
  { lifeSign, proof }: Incident,
  text: string | undefined,
  now: number,
): Pick<Incident, 'lifeSign'> | undefined {
  if (text === undefined || text === lifeSign?.text) return undefined;
  return { lifeSign: { text, seenAt: lifeSign === undefined ? Math.min(now, proof?.since ?? now) : now } };
}

/** The newest readings, and of each level the last one that said anything: many failures must not hide an `on`. */
function newest(readings: readonly PowerReading[]): readonly PowerReading[] {
  const known = new Map(readings.filter(({ power }) => power !== 'unknown').map((each) => [each.level, each]));
  const first = readings.length - MOST_READINGS;
  return first <= 0 ? readings : readings.filter((each, index) => index >= first || known.get(each.level) === each);
}

/** Says why the word of a person does not count, to whoever waits for it. */
function tellDoubt(
  steps: NextSteps,
  { judgement }: IncidentFacts,
  settings: DetectionSettings['recovery'],
  now: number,
): NextSteps {
  const { wait, proof } = steps.incident;
  const objection = objectionToWord(steps.incident, judgement, settings, now);
  if (wait === undefined || objection === undefined) return steps;
  if (proof !== undefined && wait.reason !== 'contradiction' && wait.reason !== 'stale-proof') return steps;
  return { ...steps, incident: { ...steps.incident, wait: { ...wait, message: `${wait.message}; ${objection}` } } };
}

/**
 * The words that were not heard yet. They were said after the incident was opened, for they name it, and before now,
 * whatever the clock says of whoever took them.
 */
function newWords(incident: Incident, { decisions }: IncidentFacts, now: number): readonly HeardWord[] {
  const heard = new Set(incident.words?.map(({ id, by, saidAt }) => id ?? `${saidAt} ${by}`));
  return decisions
    .filter(({ kind, host, incidentId }) => {
      return kind === 'host-is-off' && host === incident.host && incidentId === incident.id;
    })
    .filter(({ id, by, at }) => !heard.has(id ?? `${at} ${by}`))
    .map(({ id, by, note, at }) => ({ id, by, note, saidAt: at, at: Math.max(incident.openedAt, Math.min(at, now)) }));
}

/** The second look: still condemned, and no brake. A sign of life ends it here. */
function agree(incident: Incident, { judgement, verdict, isPaused }: IncidentFacts, now: number): NextSteps {
  if (judgement?.kind === 'alive') return acquit(incident, judgement, now);
  if (isPaused) return waitFor(incident, 'paused', 'high availability is paused');
  if (verdict?.kind === 'refuse' && verdict.refusal.brake === 'no-instances') return closeNeedless(incident, now);
  if (verdict?.kind === 'refuse') return waitFor(incident, 'brake', verdict.refusal.message);
  if (judgement?.kind !== 'condemned' || verdict?.kind !== 'proceed' || verdict.incidentId !== incident.id) {
    return waitFor(
      incident,
      'agreement',
      `it is ${judgement?.kind ?? 'not judged'} now, and has to be condemned still`,
    );
  }
  return startFence({ ...incident, condemnedBy: judgement.by }, now);
}

/** Whether two records say the same; most of an incident is not even touched by a look. */
function isSame(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (Array.isArray(before) && Array.isArray(after)) {
    return before.length === after.length && after.every((value, index) => isSame(before[index], value));
  }
  if (!isFields(before) || !isFields(after)) return false;
  for (const field in after) if (!isSame(before[field], after[field])) return false;
  return true;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
