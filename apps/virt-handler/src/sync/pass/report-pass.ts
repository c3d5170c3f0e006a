import { done, keyOf, requeueAfter, type Outcome } from '@smalt/controller-runtime';
import type { PodSandbox } from '@smalt/pod-sandbox';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { InstanceRecord } from '../end/instance-record.ts';
import { readGuestFacts } from '../guest/read-guest-facts.ts';
import { carryOutChanges } from '../hotplug/carry-out-changes.ts';
import { runningInstance } from '../status/running-instance-status.ts';
import type { Pass } from './pass.ts';
import { writeInstance } from './write-instance.ts';

/** How often a guest is asked anew what it looks like inside. */
const GUEST_REFRESH_MS = 300_000;
const GUEST_RETRY_MS = 10_000;
/** How often a pod that is not found is looked for. */
export const POD_AGAIN_MS = 10_000;

/** Carries out what has changed about an instance whose guest runs, and writes how it is. */
export async function reportPass(pass: Pass, problem?: string): Promise<Outcome> {
  const { context, instance, findings, signal } = pass;
  const { driver, sandbox, record } = findings;
  const memory = context.memories.of(instance.metadata.uid ?? '');
  if (driver === undefined) throw new VirtHandlerError('unavailable', 'this node does not offer the hypervisor');
  // A guest that was not started here is known by what is written down from now on.
  if (sandbox !== undefined && lacksLauncher(record, sandbox)) {
    const account = driver.capabilities?.guestAccount;
    await context.directories.prepare(instance, sandbox.podUid, account, sandbox.launcher);
  }
  memory.networks ??= await context.networks.connect(instance, signal, sandbox);
  const changes = await carryOutChanges(pass, driver);
  const domain = changes.domain ?? findings.known;
  if (domain === undefined) return done;
  askGuest(pass, domain.report.isAgentConnected);
  const { capabilities, hypervisor } = driver;
  const { networks, guest, volumeProblems } = memory;
  const observed = { hypervisor, capabilities, domain, networks, guest, volumeProblems, problem };
  const after = runningInstance(instance, observed, context.clock.now());
  const outcome = await writeInstance(pass, after);
  if (outcome !== undefined) return outcome;
  return problem === undefined || changes.outcome !== done ? changes.outcome : requeueAfter(POD_AGAIN_MS);
}

function lacksLauncher(record: InstanceRecord | undefined, { launcher }: PodSandbox): boolean {
  return record === undefined || (record.launcher === undefined && launcher !== undefined);
}

/** Asks the agent of the guest when it has come up, and now and then. An agent that hangs holds nothing up. */
function askGuest({ context, instance, findings }: Pass, isAgentConnected: boolean): void {
  const memory = context.memories.of(instance.metadata.uid ?? '');
  if (!isAgentConnected) {
    memory.guest = undefined;
    memory.guestAskedAt = undefined;
    return;
  }
  const now = context.clock.monotonic();
  const isDue = memory.guestAskedAt === undefined || now - memory.guestAskedAt >= GUEST_REFRESH_MS;
  const { known } = findings;
  if (!isDue || known === undefined) return;
  memory.guestAskedAt = now;
  context.inBackground('the agent of a guest does not answer', async (signal) => {
    try {
      memory.guest = await readGuestFacts(known.session, known.domain, signal);
      context.wake(keyOf(instance));
    } catch (error) {
      // It may only have been busy.
      memory.guestAskedAt = now + GUEST_RETRY_MS - GUEST_REFRESH_MS;
      context.clock.later(GUEST_RETRY_MS, () => context.wake(keyOf(instance)));
      throw error;
    }
  });
}
