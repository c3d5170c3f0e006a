import { done, keyOf, type Outcome } from '@smalt/controller-runtime';
import { isFaultOfInstance } from '@smalt/domain-xml';
import { messageOf } from '@smalt/service-runtime';

import { isVirtHandlerError, VirtHandlerError } from '../../virt-handler-error.ts';
import { isOn } from '../decide/decide-sync.ts';
import { failed } from '../decide/verdict.ts';
import { startInstance } from '../start/start-instance.ts';
import { destroyPass, endPass } from './end-pass.ts';
import { gatherFacts } from './gather-facts.ts';
import type { Pass } from './pass.ts';
import { reportPass } from './report-pass.ts';

/** Makes the guest run and says so, in one write. Where too many start already, it waits for its turn. */
export async function startPass(pass: Pass): Promise<Outcome> {
  const { context, instance, findings, signal } = pass;
  const { driver, sandbox, known } = findings;
  using place = context.slots.take(keyOf(instance));
  if (place === undefined) return done;
  if (driver === undefined || sandbox === undefined) {
    throw new VirtHandlerError('unavailable', 'the launcher pod of the instance is not on this node');
  }
  try {
    const networks = await startInstance(context, { instance, driver, sandbox, domain: known }, signal);
    context.memories.of(instance.metadata.uid ?? '').networks = networks;
  } catch (error) {
    if (!isHopeless(error)) throw error;
    return await giveUp(pass, messageOf(error));
  }
  const after = await gatherFacts(context, instance, signal);
  // It may have ended already, which the next pass finds out.
  if (!isOn(after.known?.state)) return done;
  const outcome = await reportPass({ ...pass, findings: after });
  void tellStart(pass);
  return outcome;
}

/** Whether no further attempt can help, because the instance itself is at fault. */
function isHopeless(error: unknown): boolean {
  return isFaultOfInstance(error) || isVirtHandlerError(error, 'unsupported-volume', 'bad-volume');
}

async function giveUp(pass: Pass, message: string): Promise<Outcome> {
  const { context, instance, signal } = pass;
  void context.events.record(instance, 'Warning', 'SyncFailed', message);
  const verdict = failed('InvalidInstance', message);
  await context.directories.writeVerdict(instance, verdict);
  const findings = await gatherFacts(context, instance, signal);
  if (isOn(findings.known?.state)) return await destroyPass({ ...pass, findings }, message);
  return await endPass({ ...pass, findings }, verdict);
}

async function tellStart({ context, instance }: Pass): Promise<void> {
  await context.events.record(instance, 'Normal', 'Created', 'VirtualMachineInstance defined.');
  await context.events.record(instance, 'Normal', 'Started', 'VirtualMachineInstance started.');
}
