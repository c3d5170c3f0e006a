import { parseAnswer, parseRefusal, isTelemetryError } from '@smalt/ha-telemetry';

/** Why a push failed for now, as a word for metrics. */
export type PushFailure =
  | 'unauthorized'
  | 'timeout'
  | 'unreachable'
  | 'server-error'
  | 'too-large'
  | 'unclear-answer'
  | 'refused'
  | 'identity';

/** What became of a batch. */
export type PushResult =
  | { readonly kind: 'taken'; readonly epoch: string; readonly acknowledged: number }
  | { readonly kind: 'refused'; readonly epoch: string; readonly why: string; readonly sequence?: number | undefined }
  | {
      readonly kind: 'failed';
      readonly failure: PushFailure;
      readonly why: string;
      readonly retryAfterMs?: number | undefined;
    };

export interface HttpAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

const REFUSALS = new Set([400, 409, 413, 422]);
const LONGEST_WHY = 300;

/** Reads the service's answer. Pure: the time is that of the clock the `Retry-After` date is compared with. */
export function pushResultOf(answer: HttpAnswer, now: Date): PushResult {
  const { status, body } = answer;
  if (status >= 200 && status < 300) return readTaken(body);
  const refusal = REFUSALS.has(status) ? readRefusal(body) : undefined;
  if (refusal !== undefined) return refusal;
  const retryAfterMs = readRetryAfterMs(answer.retryAfter, now);
  const why = `it answered ${status}${body === '' ? '' : `: ${shortened(body)}`}`;
  return { kind: 'failed', failure: failureOf(status), why, retryAfterMs };
}

function failureOf(status: number): PushFailure {
  if (status === 413) return 'too-large';
  return status === 401 || status === 403 ? 'unauthorized' : 'server-error';
}

function readTaken(body: string): PushResult {
  try {
    return { kind: 'taken', ...parseAnswer(JSON.parse(body)) };
  } catch (error) {
    const why = `its answer makes no sense: ${error instanceof Error ? error.message : String(error)}`;
    return { kind: 'failed', failure: 'unclear-answer', why: shortened(why) };
  }
}

/** Nothing when it is not the service that speaks: proxies answer with these numbers, too, and know nothing of records. */
function readRefusal(body: string): PushResult | undefined {
  try {
    const { epoch, error, sequence } = parseRefusal(JSON.parse(body));
    return { kind: 'refused', epoch, why: shortened(error), sequence };
  } catch (error) {
    if (!isTelemetryError(error) && !(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST_WHY ? `${line.slice(0, LONGEST_WHY)}…` : line;
}

/** Seconds, or a date. */
function readRetryAfterMs(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
