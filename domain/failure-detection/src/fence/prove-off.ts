import type { RecoverySettings } from '../detection-settings.ts';
import type { Incident, OffProof } from '../incident/incident.ts';
import type { Judgement } from '../judgement/judgement.ts';
import { countedReadings, objector, rowOfOff } from './row-of-off.ts';

/**
 * The proof that the host is off, if there is one: enough readings of `off` in a row by fresh sessions of one method,
 * all after its order to power off, no other method that says `on`, and no sign of life after the first of them; or a
 * person's word. None counts while the host is judged alive.
 */
export function proveOff(
  incident: Incident,
  judgement: Judgement | undefined,
  settings: Pick<RecoverySettings, 'offReadings'>,
): OffProof | undefined {
  // Three readings, or a word, fit between two signs of life: a host that is judged alive has to fall silent first.
  if (judgement?.kind === 'alive') return undefined;
  return wordOfPerson(incident) ?? offReadings(incident, settings);
}

function wordOfPerson(incident: Incident): OffProof | undefined {
  const word = incident.words?.at(-1);
  if (word === undefined || livedAfter(incident, word.at)) return undefined;
  return { kind: 'person', since: word.at, by: word.by, note: word.note };
}

/** Why the newest word of a person does not count, if there is one. */
export function objectionToWord(incident: Incident, judgement: Judgement | undefined): string | undefined {
  const word = incident.words?.at(-1);
  if (word === undefined) return undefined;
  if (livedAfter(incident, word.at)) return `${word.by} has said that it is off, but it has shown life since`;
  if (judgement?.kind !== 'alive') return undefined;
  return `${word.by} has said that it is off, which does not count as long as ${judgement.by} shows life`;
}

function offReadings(incident: Incident, settings: Pick<RecoverySettings, 'offReadings'>): OffProof | undefined {
  const readings = rowOfOff(incident, settings);
  const first = readings?.[0];
  if (readings === undefined || first === undefined || livedAfter(incident, first.at)) return undefined;
  if (objector(incident, settings) !== undefined) return undefined;
  return { kind: 'readings', since: first.at, readings };
}

function livedAfter({ lastLifeAt }: Incident, at: number): boolean {
  return lastLifeAt !== undefined && lastLifeAt > at;
}

/**
 * What speaks against a proof that was good once: a sign of life, or power that is on again by any method that was told
 * to cut it. Power does not speak against a person, who is asked where a controller is stuck.
 */
export function contradiction(incident: Incident): string | undefined {
  const { proof, lastLifeAt } = incident;
  if (proof === undefined) return undefined;
  if (lastLifeAt !== undefined && livedAfter(incident, proof.since)) {
    return `it showed life ${secondsBetween(proof.since, lastLifeAt)} after it was found to be off`;
  }
  if (proof.kind === 'person') return undefined;
  const on = countedReadings(incident).findLast(({ at, power }) => at > proof.since && power === 'on');
  return on === undefined
    ? undefined
    : `its power reads on ${secondsBetween(proof.since, on.at)} after it was found to be off`;
}

function secondsBetween(from: number, to: number): string {
  return `${((to - from) / 1000).toFixed(1)} s`;
}

/** Whether the proof is young enough to act on. A person's word holds until something contradicts it. */
export function isProofFresh(incident: Incident, validMs: number, now: number): boolean {
  const { proof, adoptedAt } = incident;
  if (proof === undefined) return false;
  if (proof.kind === 'person') return true;
  const last = countedReadings(incident).findLast(({ power }) => power !== 'unknown');
  if (last === undefined || last.power !== 'off') return false;
  // What another run has read, or what lies in the future, was read by another clock.
  const isOfThisRun = last.at <= now && (adoptedAt === undefined || last.at >= adoptedAt);
  return isOfThisRun && now - last.at <= validMs;
}
