import { keyOf, type ObjectKey } from '@smalt/controller-runtime';
import { hypervisorOf } from '@smalt/hypervisors';
import { isProcessRunning, type PodSandbox, type SandboxProcess } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { DriverSession } from '../../hypervisor-sessions/hypervisor-sessions.ts';
import type { SyncFacts } from '../decide/sync-facts.ts';
import { isAbout } from '../decide/verdict.ts';
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
  const { nodeName, sessions, cache, directories, sandboxes } = context;
  const uid = instance.metadata.uid ?? '';
  const driver = sessions.find(hypervisorOf(instance).name);
  // Both at one moment: a domain that was not listed yet must not look like one that is gone.
  const known = cache.find(keyOf(instance)).find(({ owner }) => owner.uid === uid);
  const libvirt = libvirtState(context, driver, keyOf(instance));
  const record = await directories.read(uid);
  const podUid = record?.podUid ?? podOnNode(instance, nodeName);
  const found = podUid === undefined ? undefined : await sandboxes.find(podUid, signal);
  const hasEnded = await isOver(found === undefined ? record?.launcher : found.launcher);
  const sandbox = hasEnded ? undefined : found;
  const facts: SyncFacts = {
    nodeName,
    instance,
    domain: known?.state,
    libvirt,
    sandbox: hasEnded ? 'gone' : sandbox === undefined ? 'unknown' : 'alive',
    podUid,
    isPodActive: podUid !== undefined && instance.status?.activePods?.[podUid] === nodeName,
    verdict: record?.verdict !== undefined && isAbout(record.verdict, instance) ? record.verdict : undefined,
    wasRebooted: record !== undefined && directories.isOfEarlierBoot(record),
    shuttingDownMs: shuttingDownMs(context, uid, record),
  };
  return { facts, driver, known, record, sandbox };
}

function libvirtState({ cache }: SyncContext, driver: DriverSession | undefined, key: ObjectKey): SyncFacts['libvirt'] {
  if (driver === undefined) return 'missing';
  if (!cache.isCurrent(driver.session)) return 'away';
  return cache.findSilent(key) === undefined ? 'current' : 'silent';
}

/** The pod of an instance on this node; the API names those that may carry it. */
function podOnNode({ status }: VirtualMachineInstance, nodeName: string): string | undefined {
  return Object.entries(status?.activePods ?? {}).find(([, node]) => node === nodeName)?.[0];
}

/** A launcher that is not known may live. */
async function isOver(launcher: SandboxProcess | undefined): Promise<boolean> {
  return launcher !== undefined && !(await isProcessRunning(launcher));
}

/** Its time goes on while handlers come and go; the clock that never jumps counts as long as it can. */
function shuttingDownMs(
  { memories, clock }: SyncContext,
  uid: string,
  record: InstanceRecord | undefined,
): number | undefined {
  const since = memories.find(uid)?.shutdownAskedAt;
  if (since !== undefined) return clock.monotonic() - since;
  if (record?.shutdownAskedAt === undefined) return undefined;
  return Math.max(0, clock.now() - record.shutdownAskedAt);
}
