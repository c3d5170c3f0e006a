import type { EvictionHappening, EvictionPlan } from '@smalt/eviction-plan';

import { carryOutSteps } from './carry-out-steps.ts';
import type { EvictionNotes, EvictionParts, EvictionPass } from './eviction-parts.ts';

/** Tells what happened, asks for what was planned, and notes what was refused. Returns how long to wait, if told so. */
export async function actOnPlan(
  parts: EvictionParts,
  pass: EvictionPass,
  plan: EvictionPlan,
): Promise<number | undefined> {
  const { context, metrics } = parts;
  const { key, eviction, notes, signal } = pass;
  for (const happening of plan.happenings) {
    metrics.happened(happening);
    context.logger.info({ resource: key, step: happening.kind, instance: happening.id }, happening.message);
    const type = happening.kind === 'moved' || happening.kind === 'gone' ? 'Normal' : 'Warning';
    await context.recorder.record(eviction, type, REASONS[happening.kind], happening.message);
  }
  for (const step of plan.steps) {
    metrics.began(step);
    context.logger.info({ resource: key, step: step.kind, instance: step.instanceId }, 'asked the compute system');
  }
  const answers = await carryOutSteps(context.compute.moves, plan.steps, signal);
  for (const { step, answer } of answers) {
    notes.answers.set(step.instanceId, answer);
    if (answer.kind === 'accepted') continue;
    context.logger.warn({ resource: key, step: step.kind, instance: step.instanceId }, answer.message);
  }
  const waits = answers.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** Forgets how earlier requests were answered; before new ones are written down, so that they never count for these. */
export function forgetAnswers({ answers }: EvictionNotes, { steps }: Pick<EvictionPlan, 'steps'>): void {
  for (const { instanceId } of steps) answers.delete(instanceId);
}

const REASONS: Readonly<Record<EvictionHappening['kind'], string>> = {
  moved: 'InstanceMoved',
  gone: 'InstanceGone',
  failed: 'InstanceMoveFailed',
  aborted: 'InstanceMoveAborted',
  'non-migratable': 'InstanceNonMigratable',
};
