import type { DetectionSettings } from './detection-settings.ts';
import { acquit, closeIncident, waitFor } from './incident-change.ts';
import { isOver, type HeardWord, type Incident } from './incident.ts';
import type { IncidentFacts, NextSteps } from './incident-facts.ts';
import { hearCleanUp } from './plan-clean-up.ts';
import { planFence, startFence } from './plan-fence.ts';
import { planForceDown } from './plan-force-down.ts';
import { planRebuild } from './plan-rebuild.ts';

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
  const known = hearCleanUp(learn(incident, facts, now), facts.cleanUpAnswer);
  const steps = stepsOf(known, facts, settings, now);
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
  if (closing !== undefined) return closeIncident(incident, 'closed', `${closing.by}: ${closing.note}`, now);
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

/** Takes in what was heard since. Readings are kept in order, and not without end. */
function learn(incident: Incident, facts: IncidentFacts, now: number): Incident {
  const lastLifeAt = Math.max(
    incident.lastLifeAt ?? Number.NEGATIVE_INFINITY,
    facts.lastLifeAt ?? Number.NEGATIVE_INFINITY,
  );
  const readings = [...incident.readings, ...facts.readings].toSorted((a, b) => a.at - b.at).slice(-MOST_READINGS);
  const heard = { ...incident, readings, lastLifeAt: Number.isFinite(lastLifeAt) ? lastLifeAt : undefined };
  const words = newWords(incident, facts, now);
  return words.length === 0 ? heard : { ...heard, words: [...(incident.words ?? []), ...words] };
}

/**
 * The words that were not heard yet. They were said after the incident was opened, for they name it, and before now,
 * whatever the clock says of whoever took them.
 */
function newWords(incident: Incident, { decisions }: IncidentFacts, now: number): readonly HeardWord[] {
  const heard = new Set(incident.words?.map(({ by, saidAt }) => `${saidAt} ${by}`));
  return decisions
    .filter(({ kind, host, incidentId }) => {
      return kind === 'host-is-off' && host === incident.host && incidentId === incident.id;
    })
    .filter(({ by, at }) => !heard.has(`${at} ${by}`))
    .map(({ by, note, at }) => ({ by, note, saidAt: at, at: Math.max(incident.openedAt, Math.min(at, now)) }));
}

/** The second look: still condemned, and no brake. A sign of life ends it here. */
function agree(incident: Incident, { judgement, verdict, isPaused }: IncidentFacts, now: number): NextSteps {
  if (judgement?.kind === 'alive') return acquit(incident, judgement, now);
  if (isPaused) return waitFor(incident, 'paused', 'high availability is paused');
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

/** Most of an incident is not even touched by a look, so only what was is compared in full. */
function isSame(before: Incident, after: Incident): boolean {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after).every(
    ([field, value]) => old.get(field) === value || JSON.stringify(old.get(field)) === JSON.stringify(value),
  );
}
