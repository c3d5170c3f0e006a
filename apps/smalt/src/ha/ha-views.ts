import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import { durationText } from '../output/duration-text.ts';
import type { Listing } from '../output/print-list.ts';

/** What the service, its sources and hosts are, in one view. */
export function statusListing(
  status: JsonObject,
  sources: readonly JsonObject[],
  hosts: readonly JsonObject[],
): Listing {
  const judged = countBy(hosts, (host) => textIn(objectIn(host, 'judgement'), 'kind', 'unknown'));
  const rows = [
    ['leads', yesNo(status['isLeading'])],
    ['paused', yesNo(status['isPaused'])],
    ['dry run', yesNo(status['isDryRun'])],
    ['settings', textIn(status, 'settingsTrouble', 'good')],
    [
      'hosts',
      Object.entries(judged)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ') || 'none',
    ],
    ...sources.map((source) => [`source ${textIn(source, 'name', '?')}`, sourceText(source)]),
    ['you are', callerText(status['you'])],
  ];
  return { columns: ['WHAT', 'IS'], rows, empty: '', value: { status, sources, hosts } };
}

/** Hosts with what is thought of them and why. */
export function hostsListing(hosts: readonly JsonObject[]): Listing {
  return {
    columns: ['HOST', 'JUDGEMENT', 'SIGNALS', 'INSTANCES', 'WATCHED', 'HELD BY', 'INCIDENT'],
    rows: hosts.map((host) => [
      textIn(host, 'name', ''),
      textIn(objectIn(host, 'judgement'), 'kind', 'not judged here'),
      objectsIn(host, 'signals').map(signalText).join(', '),
      textIn(host, 'instances', '?'),
      yesNo(host['isSwitchedOn']),
      textIn(host, 'heldBy', ''),
      textIn(host, 'openIncident', ''),
    ]),
    empty: 'The HA service knows no host.',
    value: hosts,
  };
}

/** Incidents, the newest first. */
export function incidentsListing(
  incidents: readonly JsonObject[],
  now: Date,
  empty: string = 'There was no incident.',
): Listing {
  return {
    columns: ['INCIDENT', 'HOST', 'STATE', 'AGE', 'INSTANCES', 'WAITS FOR'],
    rows: incidents.map((incident) => [
      textIn(incident, 'id', ''),
      textIn(incident, 'host', ''),
      textIn(incident, 'state', ''),
      ageText(textIn(incident, 'openedAt', ''), now),
      Object.entries(objectIn(incident, 'instances'))
        .map(([state, count]) => `${Number(count)} ${state}`)
        .join(', '),
      waitText(incident),
    ]),
    empty,
    value: incidents,
  };
}

/** So many lines of the story of an incident, the newest, are given out at most. */
const MOST_LINES = 500;

/** One incident as a story: what happened when. */
export function incidentListing(incident: JsonObject): Listing {
  const proof = objectIn(incident, 'proof');
  const head = [
    ['', 'host', textIn(incident, 'host', '')],
    ['', 'state', textIn(incident, 'state', '')],
    ['', 'waits for', waitText(incident) || 'nobody'],
    ['', 'proof that it is off', textIn(proof, 'kind', 'none yet')],
  ];
  // The service tells the newest line first.
  const journal = objectsIn(incident, 'journal')
    .toReversed()
    .map((entry) => [
      textIn(entry, 'at', ''),
      textIn(entry, 'kind', ''),
      [textIn(entry, 'message', ''), textIn(entry, 'by', '')].filter((each) => each !== '').join(' – '),
    ]);
  const cut = journal.length < MOST_LINES ? [] : [['', '…', 'what was before this is left out']];
  return { columns: ['WHEN', 'WHAT', ''], rows: [...head, ...cut, ...journal], empty: '', value: incident };
}

function waitText(incident: JsonObject): string {
  const wait = objectIn(incident, 'wait');
  const why = textIn(wait, 'message', textIn(wait, 'reason', textIn(wait, 'kind', '')));
  return incident['needsPerson'] === true ? `a person: ${why}` : why;
}

function signalText(signal: JsonObject): string {
  const source = textIn(signal, 'source', '?');
  const dead = signal['deadSinceAgeSeconds'];
  const alive = signal['aliveAgeSeconds'];
  if (typeof dead === 'number') return `${source} dead for ${durationText(dead * 1_000)}`;
  return typeof alive === 'number' ? `${source} ${durationText(alive * 1_000)} ago` : `${source} never`;
}

function sourceText(source: JsonObject): string {
  const since = textIn(source, 'reachableSince', '');
  if (since !== '') return `tells since ${since}`;
  return source['isRequired'] === true ? 'blind: no host is condemned without it' : 'blind';
}

function callerText(caller: JsonValue | undefined): string {
  const { name, role } = isJsonObject(caller) ? caller : {};
  return [name, role].filter((each) => typeof each === 'string').join(', ');
}

function ageText(openedAt: string, now: Date): string {
  const at = Date.parse(openedAt);
  return Number.isNaN(at) ? '' : durationText(now.getTime() - at);
}

function countBy(
  objects: readonly JsonObject[],
  key: (object: JsonObject) => string,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const object of objects) counts[key(object)] = (counts[key(object)] ?? 0) + 1;
  return counts;
}

function yesNo(value: JsonValue | undefined): string {
  return value === true ? 'yes' : value === false ? 'no' : '?';
}

/** A field as text; something else where it has none. */
export function textIn(object: JsonObject, field: string, otherwise: string): string {
  const value = object[field];
  if (value === undefined || value === null || isJsonObject(value) || isJsonArray(value)) return otherwise;
  return String(value);
}

function objectIn(object: JsonObject, field: string): JsonObject {
  const value = object[field];
  return isJsonObject(value) ? value : {};
}

/** The objects in a list of an answer. */
export function objectsIn(object: JsonObject, field: string): readonly JsonObject[] {
  const value = object[field];
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}
