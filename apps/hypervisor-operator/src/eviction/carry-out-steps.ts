import { isComputeError, type ComputeMoves } from '@smalt/compute';
import type { EvictionStep, MoveAnswer } from '@smalt/eviction-plan';

export interface StepAnswer {
  readonly step: EvictionStep;
  readonly answer: MoveAnswer;
  /** How long the compute system asked to be left alone. */
  readonly retryAfterMs: number | undefined;
}

/** Does all steps side by side. Steps that fail keep nobody else from his. */
export async function carryOutSteps(
  moves: ComputeMoves,
  steps: readonly EvictionStep[],
  signal: AbortSignal,
): Promise<readonly StepAnswer[]> {
  return await Promise.all(
    steps.map(async (step): Promise<StepAnswer> => {
      try {
        await carryOut(moves, step, signal);
        return { step, answer: { kind: 'accepted' }, retryAfterMs: undefined };
      } catch (error) {
        return failureOf(step, error);
      }
    }),
  );
}

async function carryOut(moves: ComputeMoves, step: EvictionStep, signal: AbortSignal): Promise<void> {
  switch (step.kind) {
    case 'start-live':
      return await moves.startLive(step.instanceId, signal);
    case 'start-cold':
      return await moves.startCold(step.instanceId, signal);
    case 'confirm':
      return await moves.confirm(step.instanceId, signal);
    case 'abort':
      return await moves.abort(step.move, signal);
  }
}

function failureOf(step: EvictionStep, error: unknown): StepAnswer {
  // Anything else is a mistake in the program, and not to be taken for an answer.
  if (!isComputeError(error)) throw error;
  const { message, retryAfterMs } = error;
  switch (error.code) {
    case 'conflict':
    case 'no-target':
    case 'refused':
      return { step, retryAfterMs, answer: { kind: 'refused', message: textOf(step, message) } };
    case 'not-found':
    case 'stale':
    case 'unavailable':
      return { step, retryAfterMs, answer: { kind: 'not-done', message: textOf(step, message) } };
    case 'aborted':
    case 'unknown-fate':
      return { step, retryAfterMs, answer: { kind: 'unknown', message: textOf(step, message) } };
  }
}

/** The words of existing tools. */
function textOf({ kind, instanceId }: EvictionStep, message: string): string {
  switch (kind) {
    case 'start-live':
      return `failed to evict VM ${instanceId} due to ${message}`;
    case 'start-cold':
      return `failed to evict stopped server ${instanceId} due to ${message}`;
    case 'confirm':
      return `failed to confirm the move of ${instanceId} due to ${message}`;
    case 'abort':
      return `failed to stop the move of ${instanceId} due to ${message}`;
  }
}
