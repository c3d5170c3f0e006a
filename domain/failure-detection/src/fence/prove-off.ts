import type { RecoverySettings } from '../detection-settings.ts';
import type { IncidentFacts } from '../incident/incident-facts.ts';
import type { HeardWord, Incident, OffProof } from '../incident/incident.ts';
import type { Judgement } from '../judgement/judgement.ts';
import { countedReadings, objector, rowOfOff, unheard } from './row-of-off.ts';

type ProofSettings = Pick<RecoverySettings, 'offReadings' | 'proofValidMs'>;

/**
 * The proof that the host is off, if there is one: enough readings of `off` in a row by fresh sessions of one method,
 * all after its order to power off, every other method that was told asked since and none that says `on`, and no sign of
 * life after the first of them; or a person's word that is not old. None counts while the host is judged alive, nor while
 * nobody would have seen its life.
 */
export function proveOff(
  incident: Incident,
  judgement: Judgement | undefined,
  settings: ProofSettings,
  now: number,
): OffProof | undefined {
  // Three readings, or a word, fit between two signs of life: a host that is judged alive, or may be, has to be silent first.
  if (judgement?.kind === 'alive' || isUnwatched(judgement)) return undefined;
  return wordOfPerson(incident, settings, now) ?? offReadings(incident, settings);
}

/** Whether its power was read as off often enough, which proves nothing only because nobody would have seen its life. */
export function isOnlyUnwatched(
  incident: Incident,
  judgement: Judgement | undefined,
  settings: Pick<RecoverySettings, 'offReadings'>,
): boolean {
  return isUnwatched(judgement) && offReadings(incident, settings) !== undefined;
}

/** Whether the host may live without a sign: the compute system has not watched it for long enough to show one. */
function isUnwatched(judgement: Judgement | undefined): boolean {
  return judgement !== undefined && judgement.kind !== 'alive' && judgement.isUnwatched === true;
}

function wordOfPerson(incident: Incident, settings: ProofSettings, now: number): OffProof | undefined {
  const word = incident.words?.at(-1);
  if (word === undefined || livedAfter(incident, word.at) || !isYoung(word, settings, now)) return undefined;
  return { kind: 'person', since: word.at, by: word.by, note: word.note };
}

/** A word is heard late by who stood still, or had lost its store: the host may have been started since. */
function isYoung({ at, isOfAnotherRun }: HeardWord, { proofValidMs }: ProofSettings, now: number): boolean {
  return isOfAnotherRun !== true && now - at <= proofValidMs;
}

/** Why the newest word of a person does not count, if there is one and no proof was made of it. */
export function objectionToWord(
  incident: Incident,
  judgement: Judgement | undefined,
  settings: ProofSettings,
  now: number,
): string | undefined {
  const word = incident.words?.at(-1);
  if (word === undefined) return undefined;
  const said = `${word.by} has said that it is off`;
  if (livedAfter(incident, word.at)) return `${said}, but it has shown life since`;
  const { proof } = incident;
  const doubt = isUnwatched(judgement) && isYoung(word, settings, now) ? unwatchedDoubt(said) : undefined;
  if (proof?.kind === 'person') return word.at > proof.since ? doubt : undefined;
  if (!isYoung(word, settings, now)) {
    return `${said}, which counts for ${settings.proofValidMs / 1000} s only: see that it still is, and confirm it again`;
  }
  if (judgement?.kind !== 'alive') return doubt;
  return `${said}, which does not count as long as ${judgement.by} shows life`;
}

function unwatchedDoubt(said: string): string {
  const again = 'confirm it again when it shows another heartbeat or has been silent for as long as one counts';
  return `${said}, which does not count as long as the compute system has not watched it for long enough: ${again}`;
}

function offReadings(incident: Incident, settings: Pick<RecoverySettings, 'offReadings'>): OffProof | undefined {
  const readings = rowOfOff(incident, settings);
  const first = readings?.[0];
  if (readings === undefined || first === undefined || livedAfter(incident, first.at)) return undefined;
  if (objector(incident, settings) !== undefined || unheard(incident, readings, settings) !== undefined)
    return undefined;
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
  const { proof, lastLifeAt, lifeSign } = incident;
  if (proof === undefined) return undefined;
  if (lifeSign !== undefined && lifeSign.seenAt > proof.since) {
    return `the compute system has heard of it again ${secondsBetween(proof.since, lifeSign.seenAt)} after it was found to be off`;
  }
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

/**
 * Whether the proof is young enough to act on. A person's word stays so as long as any life since would have been seen, or
 * when the host was watched for as long as a proof is good for.
 */
export function isProofFresh(
  incident: Incident,
  { watchedSince }: Pick<IncidentFacts, 'watchedSince'>,
  { proofValidMs: validMs }: ProofSettings,
  now: number,
): boolean {
  const { proof, adoptedAt } = incident;
  if (proof === undefined) return false;
  if (proof.kind === 'person') {
    const isOwn = adoptedAt === undefined || proof.since > adoptedAt;
    if (isOwn && now - proof.since <= validMs) return true;
    if (watchedSince === undefined) return false;
    return (isOwn && watchedSince <= proof.since) || now - watchedSince >= validMs;
  }
  const last = countedReadings(incident).findLast(({ power }) => power !== 'unknown');
  if (last === undefined || last.power !== 'off') return false;
  // What another run has read, or what lies in the future, was read by another clock; the newest of it was taken for the takeover.
  const isOfThisRun = last.at <= now && (adoptedAt === undefined || last.at > adoptedAt);
  return isOfThisRun && now - last.at <= validMs;
}
