import { keyOf } from '@smalt/controller-runtime';
import { hypervisorOf } from '@smalt/hypervisors';
import { isProcessRunning, type PodSandbox } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { DriverSession } from '../../hypervisor-sessions/hypervisor-sessions.ts';
import type { SyncFacts } from '../decide/sync-facts.ts';
import type { KnownDomain } from '../domains/known-domain.ts';
import type { InstanceRecord } from '../end/instance-record.ts';
import type { SyncContext } from '../sync-context.ts';

/** What a pass over an instance has found. */
export interface PassFindings {
  readonly facts: SyncFacts;
  readonly driver: DriverSession | undefined;
  readonly known: KnownDomain | undefined;
  readonly record: InstanceRecord | undefined;
  readonly sandbox: PodSandbox | undefined;
}

/** Looks at all that counts for an instance: libvirt, its pod, and what was written down on the node. */
export async function gatherFacts(
  context: SyncContext,
  instance: VirtualMachineInstance,
  signal: AbortSignal,
): Promise<PassFindings> {
  const { nodeName, sessions, cache, directories, memories, clock } = context;
  const uid = instance.metadata.uid ?? '';
  const driver = sessions.find(hypervisorOf(instance).name);
  // Both at one moment: a domain that was not listed yet must not look like one that is gone.
  const known = cache.find(keyOf(instance)).find(({ owner }) => owner.uid === uid);
  const libvirt = libvirtState(context, driver);
  const record = await directories.read(uid);
  const podUid = record?.podUid ?? podOnNode(instance, nodeName);
  const sandbox = podUid === undefined ? undefined : await liveSandbox(context, podUid, signal);
  const { shutdownAskedAt } = memories.of(uid);
  const facts: SyncFacts = {
    nodeName,
    instance,
    domain: known?.state,
    libvirt,
    sandbox: sandbox !== undefined ? 'alive' : podUid === undefined ? 'unknown' : 'gone',
    verdict: record?.verdict,
    wasRebooted: record !== undefined && directories.isOfEarlierBoot(record),
    shuttingDownMs: shutdownAskedAt === undefined ? undefined : clock.monotonic() - shutdownAskedAt,
  };
  return { facts, driver, known, record, sandbox };
}

function libvirtState({ cache }: SyncContext, driver: DriverSession | undefined): SyncFacts['libvirt'] {
  if (driver === undefined) return 'missing';
  return cache.isCurrent(driver.session) ? 'current' : 'away';
}

/** The pod of an instance on this node; the API names those that may carry it. */
function podOnNode({ status }: VirtualMachineInstance, nodeName: string): string | undefined {
  return Object.entries(status?.activePods ?? {}).find(([, node]) => node === nodeName)?.[0];
}

/** The sandbox of a pod, unless its launcher has ended: then the pod is on its way out. */
async function liveSandbox(
  { sandboxes }: SyncContext,
  podUid: string,
  signal: AbortSignal,
): Promise<PodSandbox | undefined> {
  const sandbox = await sandboxes.find(podUid, signal);
  if (sandbox?.launcher === undefined) return sandbox;
  return (await isProcessRunning(sandbox.launcher)) ? sandbox : undefined;
}
