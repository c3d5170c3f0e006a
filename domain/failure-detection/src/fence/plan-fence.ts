import type { RecoverySettings } from '../detection-settings.ts';
import { acquit, closeNeedless, waitFor } from '../incident/incident-change.ts';
import type { FenceAttempt, Incident } from '../incident/incident.ts';
import type { IncidentFacts, NextSteps } from '../incident/incident-facts.ts';
import { unwatched } from '../judgement/check-brakes.ts';
import { isOnlyUnwatched, proveOff } from './prove-off.ts';
import { readPower } from './read-power.ts';
import { objector, orderedLevels, rowOfOff, unheard } from './row-of-off.ts';

/** Gives the first order to power off. */
export function startFence(incident: Incident, now: number): NextSteps {
  return fenceAt({ ...incident, state: 'fencing' }, 0, now);
}

function fenceAt(incident: Incident, level: number, now: number): NextSteps {
  const method = incident.fenceMethods[level];
  if (method === undefined) {
    return waitFor(incident, 'no-fence-method', `there is no way to power it off; power it off and confirm that it is`);
  }
  const fences = [...incident.fences, { level, askedAt: now, answer: undefined }];
  const asked: Incident = { ...incident, fences };
  return waitFor(asked, 'proof', `it was told to power off by ${method}`, [{ kind: 'power-off', level, method }]);
}

/**
 * Reads the power until it is proved to be off. The order is given again only after the power was read as on, by the next
 * method if it cannot be read, and never to a host that has shown life since.
 */
export function planFence(before: Incident, facts: IncidentFacts, settings: RecoverySettings, now: number): NextSteps {
  const incident = answered(before, facts.fenceAnswer);
  const proof = proveOff(incident, facts.judgement, settings, now);
  if (proof !== undefined) {
    return waitFor(
      { ...incident, proof, state: 'forcing-down' },
      'force-down',
      'it is off; the compute system is told next',
    );
  }
  const last = incident.fences.at(-1);
  if (last === undefined) return unfenced(incident, facts, now);
  const first = incident.fences[0] ?? last;
  if (incident.lastLifeAt !== undefined && incident.lastLifeAt > first.askedAt) {
    const message = 'it has shown life since it was told to power off, so it is not told again; look at it and its BMC';
    return slowly(incident, 'alive-after-fence', message, { settings, now, level: last.level });
  }
  if (isOnlyUnwatched(incident, facts.judgement, settings)) {
    const message = `it reads off, but ${unwatched(incident.host)}`;
    return slowly(incident, 'proof', message, { settings, now, level: last.level });
  }
  // Whoever led before may have given the order a moment ago, by another clock.
  if (now - Math.max(last.askedAt, incident.adoptedAt ?? last.askedAt) < settings.fenceTimeoutMs) {
    const { readIntervalMs: intervalMs, readTimeoutMs: timeoutMs } = settings;
    const level = disputed(incident, settings) ?? last.level;
    const pace = { level, intervalMs, timeoutMs, now };
    return readPower(waitFor(incident, 'proof', 'its power is read until it is proved to be off'), pace);
  }
  const level = nextLevel(incident, last, settings);
  const brake = brakeOn(incident, facts);
  if (level !== undefined && brake === undefined) return fenceAt(incident, level, now);
  if (level !== undefined && brake !== undefined) {
    return slowly(incident, 'brake', brake, { settings, now, level: last.level });
  }
  const message = `no method has proved that it is off (${lastWords(incident)}); power it off and confirm that it is`;
  return slowly(incident, 'no-proof', message, { settings, now, level: last.level });
}

/** Nothing could be asked for yet, so a sign of life still ends it, and a method that is found needs the fleet's word. */
function unfenced(incident: Incident, facts: IncidentFacts, now: number): NextSteps {
  if (facts.judgement?.kind === 'alive') return acquit(incident, facts.judgement, now);
  const { verdict, isPaused } = facts;
  const isEmpty = verdict?.kind === 'refuse' && verdict.refusal.brake === 'no-instances';
  if (isEmpty && !isPaused) return closeNeedless(incident, now);
  const brake = brakeOn(incident, facts);
  if (incident.fenceMethods.length > 0 && brake !== undefined) return waitFor(incident, 'brake', brake);
  return fenceAt(incident, 0, now);
}

/** The level that says `on`, or was not asked, while another one says `off` for long enough: it is to be asked again. */
function disputed(incident: Incident, settings: RecoverySettings): number | undefined {
  const row = rowOfOff(incident, settings);
  return row === undefined ? undefined : (objector(incident, settings) ?? unheard(incident, row, settings));
}

/** What forbids another order now: each one needs the word of the fleet, as the first did. */
function brakeOn({ id }: Incident, { verdict, isPaused }: IncidentFacts): string | undefined {
  if (isPaused) return 'high availability is paused';
  if (verdict?.kind === 'refuse') return verdict.refusal.message;
  return verdict?.kind === 'proceed' && verdict.incidentId === id ? undefined : 'it is not condemned any more';
}

/** The last word about the order, which a restart may have lost. */
function answered(incident: Incident, answer: string | undefined): Incident {
  const last = incident.fences.at(-1);
  if (last === undefined || answer === undefined) return incident;
  return { ...incident, fences: [...incident.fences.slice(0, -1), { ...last, answer }] };
}

function nextLevel(incident: Incident, last: FenceAttempt, settings: RecoverySettings): number | undefined {
  const reading = incident.readings.findLast(({ level, at }) => level === last.level && at >= last.askedAt);
  const tried = incident.fences.filter(({ level }) => level === last.level).length;
  // The order may have been lost with a restart: power that reads on shows that it did nothing.
  if (reading?.power === 'on' && tried < settings.attemptsPerLevel) return last.level;
  return last.level + 1 < incident.fenceMethods.length ? last.level + 1 : undefined;
}

function lastWords({ readings, fences, fenceMethods }: Incident): string {
  const newest = new Map(readings.map(({ level, power }) => [fenceMethods[level] ?? `method ${level}`, power]));
  const power = Array.from(newest, ([method, each]) => `${each} by ${method}`).join(', ');
  return `${fences.length} orders, power last read as ${power === '' ? 'never' : power}`;
}

interface Pace {
  readonly settings: RecoverySettings;
  readonly now: number;
  readonly level: number;
}

/** Methods take turns, so that one which works again is found. */
function slowly(
  incident: Incident,
  reason: 'alive-after-fence' | 'proof' | 'no-proof' | 'brake',
  message: string,
  { settings, now, level }: Pace,
): NextSteps {
  const last = incident.readings.at(-1);
  const row = rowOfOff(incident, settings);
  const isRow = last?.power === 'off' && orderedLevels(incident).includes(last.level) && row === undefined;
  const next = isRow ? last.level : row && unheard(incident, row, settings);
  const intervalMs = next === undefined ? settings.slowReadIntervalMs : settings.readIntervalMs;
  const turn = last === undefined ? level : (last.level + 1) % Math.max(1, incident.fenceMethods.length);
  const pace = { level: next ?? turn, intervalMs, timeoutMs: settings.readTimeoutMs, now };
  return readPower(waitFor(incident, reason, message), pace);
}
