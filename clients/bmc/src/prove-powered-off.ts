import { BmcError, isBmcError, isLasting } from './bmc-error.ts';
import { checkSetting, checkTimeout } from './check-setting.ts';
import type { Clock } from './clock.ts';
import type { PowerController, PowerReading, PowerState } from './power-controller.ts';

/** One reading of the power of a host, for the record of an incident. */
export interface PowerEvidence {
  /** RFC 3339, in UTC: when the answer was there. */
  readonly at: string;
  readonly method: string;
  readonly state: PowerState;
  /** Why the state is not known, if a reading failed. */
  readonly problem?: string;
}

export interface ProofOptions {
  /** How many readings in a row have to say off; at least 2. */
  readonly readings: number;
  readonly intervalMs: number;
  /** For all of it. */
  readonly deadlineMs: number;
}

export type PowerProof =
  | { readonly kind: 'proven'; readonly evidence: readonly PowerEvidence[] }
  | { readonly kind: 'unproven'; readonly reason: string; readonly evidence: readonly PowerEvidence[] };

/** How much evidence is kept: the newest, which is what a proof rests on. */
const MOST_EVIDENCE = 100;

/**
 * Reads the power of a host until as many readings as asked for say `off` in a row, or the deadline has come. Anything
 * else among the last readings, a failed one too, is no proof. Throws only if the caller gives up or a setting is bad.
 */
export async function provePoweredOff(
  controller: PowerController,
  options: ProofOptions,
  clock: Clock,
  signal: AbortSignal,
): Promise<PowerProof> {
  checkOptions(options);
  const evidence: PowerEvidence[] = [];
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  const finished = new AbortController();
  const deadline = clock.wait(options.deadlineMs, finished.signal).then(
    () => ending.abort(new BmcError('timeout', `${controller.method}: the time for a proof is over`)),
    () => undefined,
  );
  try {
    return await collect({ controller, options, clock, signal: both, evidence });
  } catch (error) {
    if (signal.aborted) {
      const message = `${controller.method}: the caller gave up before there was a proof`;
      throw new BmcError('aborted', message, { cause: signal.reason });
    }
    if (!ending.signal.aborted) throw error;
    return unproven(`not every one of the last ${options.readings} readings was off in time`, evidence);
  } finally {
    finished.abort();
    await deadline;
  }
}

/** Whether all of the last readings, and as many as asked for, say off. Pure, so that every row is a test. */
export function isProof(evidence: readonly Pick<PowerEvidence, 'state'>[], readings: number): boolean {
  return evidence.length >= readings && evidence.slice(-readings).every(({ state }) => state === 'off');
}

interface Collection {
  readonly controller: PowerController;
  readonly options: ProofOptions;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly evidence: PowerEvidence[];
}

async function collect(collection: Collection): Promise<PowerProof> {
  const { controller, options, clock, signal, evidence } = collection;
  for (;;) {
    signal.throwIfAborted();
    const outcome = await readOnce(controller, signal);
    evidence.push(toEvidence(outcome, controller, clock.date()));
    if (evidence.length > MOST_EVIDENCE) evidence.shift();
    if (isProof(evidence, options.readings)) return { kind: 'proven', evidence: [...evidence] };
    if (isLasting(outcome)) return unproven(outcome.message, evidence);
    await clock.wait(options.intervalMs, signal);
  }
}

/** A reading, or the error that it ended with. A driver that does not heed the signal is left behind. */
async function readOnce(controller: PowerController, signal: AbortSignal): Promise<PowerReading | BmcError> {
  const given = Promise.withResolvers<never>();
  const onAbort = (): void => given.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([given.promise, controller.readPower(signal)]);
  } catch (error) {
    signal.throwIfAborted();
    if (isBmcError(error)) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new BmcError('bad-answer', `${controller.method}: ${reason}`, { cause: error });
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function toEvidence(outcome: PowerReading | BmcError, controller: PowerController, date: Date): PowerEvidence {
  const at = date.toISOString();
  if (!isBmcError(outcome)) return { at, method: outcome.method, state: outcome.state };
  return { at, method: controller.method, state: 'unknown', problem: `${outcome.code}: ${outcome.message}` };
}

function unproven(reason: string, evidence: readonly PowerEvidence[]): PowerProof {
  return { kind: 'unproven', reason, evidence: [...evidence] };
}

function checkOptions({ readings, intervalMs, deadlineMs }: ProofOptions): void {
  const isEnough = Number.isSafeInteger(readings) && readings >= 2 && readings <= MOST_EVIDENCE;
  checkSetting(isEnough, 'readings', `has to be a whole number from 2 to ${MOST_EVIDENCE}`);
  checkTimeout('intervalMs', intervalMs);
  checkTimeout('deadlineMs', deadlineMs);
  const isPossible = deadlineMs > intervalMs * (readings - 1);
  checkSetting(isPossible, 'deadlineMs', 'has to be longer than all the intervals between the readings');
}
