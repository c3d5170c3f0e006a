import { done, requeueAfter, type Outcome } from '@smalt/controller-runtime';
import { DomainShutdownFlags, isNoDomain, isOperationInvalid } from '@smalt/libvirt';

import type { Verdict } from '../decide/verdict.ts';
import type { KnownDomain } from '../domains/known-domain.ts';
import { destroyGuest, takeBack, undefineDomain } from '../end/put-away-guest.ts';
import { explainLibvirtFailure } from '../start/explain-libvirt-failure.ts';
import { withAllVolumes } from '../end/with-all-volumes.ts';
import { endedInstance } from '../status/ended-instance.ts';
import type { Pass } from './pass.ts';
import { writeInstance } from './write-instance.ts';

/** Asks the guest to shut down, and comes back to ask again or to end it. */
export async function shutDownPass(pass: Pass, againInMs: number): Promise<Outcome> {
  const { context, instance, findings, signal } = pass;
  const { known } = findings;
  if (known === undefined) return done;
  const memory = context.memories.of(instance.metadata.uid ?? '');
  memory.shutdownAskedAt ??= context.clock.monotonic() - (findings.facts.shuttingDownMs ?? 0);
  if (findings.facts.shuttingDownMs === undefined) {
    await context.directories.writeShutdown(instance, context.clock.now());
    void context.events.record(instance, 'Normal', 'ShuttingDown', 'Signaled Graceful Shutdown');
  }
  try {
    await askToShutDown(known, findings.driver?.hypervisor.libvirt.shutsDownBySignal === true, signal);
  } catch (error) {
    // It has ended meanwhile; the event of that brings the next pass.
    if (isNoDomain(error) || isOperationInvalid(error)) await context.cache.refresh(known, signal);
    else context.ignore(explainLibvirtFailure(error, 'shutdown'), 'a guest that cannot be asked is ended in time');
  }
  return requeueAfter(againInMs);
}

/** libvirt waits for an agent that hangs. */
const ASK_TIMEOUT_MS = 5_000;

async function askToShutDown({ session, domain }: KnownDomain, bySignal: boolean, signal: AbortSignal): Promise<void> {
  const options = { signal, timeoutMs: ASK_TIMEOUT_MS };
  await session.domainShutdownFlags({ domain }, options);
  if (bySignal) await session.domainShutdownFlags({ domain, flags: DomainShutdownFlags.signal }, options);
}

/** Ends the process of the guest; what is left is put away by the pass that finds it off. */
export async function destroyPass({ context, instance, findings, signal }: Pass, why: string): Promise<Outcome> {
  const { known } = findings;
  if (known === undefined) return done;
  context.logger.info({ instance: known.key, why }, 'a guest is ended');
  void context.events.record(instance, 'Normal', 'Deleted', `VirtualMachineInstance stopping: ${why}`);
  await destroyGuest(context, known, signal);
  // Its state has changed in the cache, which woke the key already; this makes sure.
  return requeueAfter(0);
}

/** Puts away what the guest left, and then says how it ended. The verdict is kept first: the domain takes it along. */
export async function endPass(pass: Pass, verdict: Verdict): Promise<Outcome> {
  const { context, instance, findings, signal } = pass;
  await context.directories.writeVerdict(instance, verdict);
  await putAway(pass);
  const outcome = await writeInstance(pass, endedInstance(instance, verdict, context.clock.now()));
  if (outcome !== undefined) return outcome;
  const type = verdict.phase === 'Succeeded' ? 'Normal' : 'Warning';
  void context.events.record(instance, type, 'Stopped', verdict.message);
  context.logger.info({ instance: findings.known?.key, verdict }, 'an instance has ended');
  await forget(pass);
  signal.throwIfAborted();
  return done;
}

/** Puts away what is left of an instance that has ended for the API. */
export async function tidyPass(pass: Pass): Promise<Outcome> {
  if (pass.findings.known === undefined && pass.findings.record === undefined) return done;
  await putAway(pass);
  await forget(pass);
  return done;
}

async function putAway({ context, instance, findings, signal }: Pass): Promise<void> {
  const { known, record } = findings;
  if (known !== undefined) await undefineDomain(context, known, signal);
  const directory = context.directories.pathOf(instance);
  await takeBack(context, { instance: withAllVolumes(instance, record?.instance), directory }, signal);
}

async function forget({ context, instance }: Pass): Promise<void> {
  const uid = instance.metadata.uid ?? '';
  await context.directories.remove(uid);
  context.memories.forget(uid);
}
