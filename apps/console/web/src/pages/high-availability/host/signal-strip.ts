import { isJsonObject, type JsonObject } from '@smalt/json';

/** Since when something has been so, until the next change. */
export interface StateChange {
  readonly at: string;
  readonly state: string;
}

/** How the signals of a host were over time, as the leader of the HA service tells. */
export interface HostHistory {
  /** Whether the replica that answered judges hosts, which only the leader does. */
  readonly isJudgedHere: boolean;
  readonly judgements: readonly StateChange[];
  readonly signals: readonly { readonly source: string; readonly changes: readonly StateChange[] }[];
}

/** A stretch of time in one state, as parts of the whole from 0 to 1. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly state: string;
  /** When it began, or the edge of what is shown. */
  readonly at: string;
}

/** Reads what the service answered; what is not there is taken for nothing. */
export function readHistory(answer: unknown): HostHistory {
  if (!isJsonObject(answer)) return { isJudgedHere: true, judgements: [], signals: [] };
  const { signals } = answer;
  const known: readonly unknown[] = Array.isArray(signals) ? signals : [];
  return {
    isJudgedHere: answer['isJudgedHere'] !== false,
    judgements: changesIn(answer['judgements']),
    signals: known.filter(isJsonObject).map(({ source, changes }) => ({
      source: typeof source === 'string' ? source : '',
      changes: changesIn(changes),
    })),
  };
}

/** What has to be known to read what is shown; undefined when it speaks for itself. */
export function historyNote({ isJudgedHere, judgements }: HostHistory): string | undefined {
  const isEmpty = judgements.length === 0;
  if (isJudgedHere) return isEmpty ? 'The HA service has not judged it yet.' : undefined;
  return isEmpty
    ? `${NO_JUDGE} Reload the page to be connected anew, perhaps to the leader.`
    : `${NO_JUDGE} What is shown ends with the time when it led.`;
}

const NO_JUDGE = 'The replica of the HA service that answered does not judge hosts: only its leader does.';

/** What part of the past is worth showing: what is known of it, but ten minutes at least and an hour at most. */
export function shownSpan(
  { judgements, signals }: Pick<HostHistory, 'judgements' | 'signals'>,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const all = [...judgements, ...signals.flatMap(({ changes }) => changes)];
  const known = nowMs - Math.min(nowMs, ...all.map(({ at }) => Date.parse(at)));
  return { fromMs: nowMs - Math.min(MOST_MS, Math.max(LEAST_MS, known)), toMs: nowMs };
}

const LEAST_MS = 600_000;
const MOST_MS = 3_600_000;

/** Cuts a row of changes into stretches between two moments. Before the first change nothing is known. */
export function stretchesOf(
  changes: readonly StateChange[],
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): readonly Stretch[] {
  const place = (time: number): number => Math.min(1, Math.max(0, (time - fromMs) / (toMs - fromMs)));
  return changes.flatMap(({ at, state }, index) => {
    const next = changes[index + 1];
    const [from, to] = [place(Date.parse(at)), next === undefined ? 1 : place(Date.parse(next.at))];
    return to > from ? [{ from, to, state, at }] : [];
  });
}

function changesIn(value: unknown): readonly StateChange[] {
  const changes: readonly unknown[] = Array.isArray(value) ? value : [];
  return changes.filter(isJsonObject).filter(isChange);
}

function isChange(value: JsonObject): value is JsonObject & StateChange {
  return typeof value['at'] === 'string' && typeof value['state'] === 'string';
}
