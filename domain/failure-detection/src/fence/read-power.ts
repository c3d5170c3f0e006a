import type { Incident, PowerReading } from '../incident/incident.ts';
import type { NextSteps } from '../incident/incident-facts.ts';
import { orderedLevels } from './row-of-off.ts';

export interface ReadingPace {
  readonly level: number;
  readonly intervalMs: number;
  /** How long an answer may take before it is taken for lost. */
  readonly timeoutMs: number;
  readonly now: number;
}

/** Adds a reading of the power to the steps, unless one was asked for a moment ago or is still under way. */
export function readPower(steps: NextSteps, { level, intervalMs, timeoutMs, now }: ReadingPace): NextSteps {
  const { incident, actions } = steps;
  const method = incident.fenceMethods[level];
  if (method === undefined) return steps;
  // A time in the future is of another clock, and would hold up all readings until then.
  const readAskedAt = (incident.readAskedAt ?? now) > now ? undefined : incident.readAskedAt;
  const isUnanswered = readAskedAt !== undefined && !incident.readings.some(({ at }) => at >= readAskedAt);
  if (readAskedAt !== undefined && now - readAskedAt < (isUnanswered ? timeoutMs : intervalMs)) return steps;
  const readings = isUnanswered ? withLost(incident, readAskedAt) : incident.readings;
  return {
    incident: { ...incident, readings, readAskedAt: now },
    actions: [...actions, { kind: 'read-power', level, method }],
  };
}

/** Nobody knows what a lost answer said, nor who was asked, and it may have been `on`: so it breaks every row of `off`. */
function withLost(incident: Incident, at: number): readonly PowerReading[] {
  const lost = { at, power: 'unknown', isLost: true, message: 'its answer never came' } as const;
  const all = orderedLevels(incident).map((level) => ({ ...lost, level, session: `lost-${at}-${level}` }));
  return [...incident.readings, ...all].toSorted((a, b) => a.at - b.at);
}
