import { done, keyOf, requeueAfter, type Outcome } from '@smalt/controller-runtime';
import { buildDomain, findDevice } from '@smalt/domain-xml';
import { DomainDeviceModifyFlags as Modify, DomainVcpuFlags, isLibvirtError } from '@smalt/libvirt';
import { messageOf } from '@smalt/service-runtime';
import { holdsOtherClaim } from '@smalt/vm-lifecycle';
import { parseXml, printXml } from '@smalt/xml';

import type { DriverSession } from '../../hypervisor-sessions/hypervisor-sessions.ts';
import { removeVolumeFiles } from '../../storage/files/remove-volume-files.ts';
import { isVirtHandlerError, VirtHandlerError } from '../../virt-handler-error.ts';
import type { KnownDomain } from '../domains/known-domain.ts';
import type { Pass } from '../pass/pass.ts';
import { explainLibvirtFailure } from '../start/explain-libvirt-failure.ts';
import { contextOf } from '../start/start-instance.ts';
import { isHotplugged } from '../status/guest-volumes.ts';
import { withAttachedVolumes } from './attached-volumes.ts';
import { decideChanges, type MemoryChange } from './decide-changes.ts';
import { findMemoryDevice, newMemoryDevice, resizedMemoryDevice } from './memory-device.ts';
import { pluggableDisk } from './pluggable-disk.ts';
import { requirePluggable } from './require-pluggable.ts';

/** A guest that does not let go of a disk is asked again after this time; a volume that is not there is tried again. */
const AGAIN_MS = 30_000;
const BOTH = Modify.live | Modify.config;

export interface CarriedOut {
  /** The domain as it is now, if it was changed. */
  readonly domain: KnownDomain | undefined;
  readonly outcome: Outcome;
}

/** Carries out what can be changed about a guest while it runs: disks, processors, memory. */
export async function carryOutChanges(pass: Pass, driver: DriverSession): Promise<CarriedOut> {
  const { context, instance, findings, signal } = pass;
  const { known } = findings;
  if (known === undefined) return { domain: undefined, outcome: done };
  const memoryDevice = known.report.memory.maxBytes === undefined ? undefined : findMemoryDevice(known.text);
  const changes = decideChanges(instance, { hypervisor: driver.hypervisor, report: known.report, memoryDevice });
  const { attach, detach, processors, memory } = changes;
  await releaseDetached(pass, known);
  forgetProblems(pass, attach);
  const isSame = attach.length + detach.length === 0 && processors === undefined && memory === undefined;
  if (isSame) return { domain: undefined, outcome: done };
  const { session, domain } = known;
  if (processors !== undefined) {
    const flags = DomainVcpuFlags.live | DomainVcpuFlags.config;
    await explained(
      'processors cannot be added',
      session.domainSetVcpusFlags({ domain, nvcpus: processors, flags }, { signal }),
    );
  }
  if (memory !== undefined) await changeMemory(pass, known, memory);
  for (const name of detach) await detachDisk(pass, known, name);
  for (const name of attach) await attachDisk(pass, { driver, known }, name);
  await context.cache.refresh(known, signal);
  const after = context.cache.find(keyOf(instance)).find(({ owner }) => owner.uid === known.owner.uid);
  const isUnfinished = detach.length > 0 || context.memories.of(known.owner.uid ?? '').volumeProblems.size > 0;
  return { domain: after, outcome: isUnfinished ? requeueAfter(AGAIN_MS) : done };
}

async function changeMemory({ signal }: Pass, known: KnownDomain, change: MemoryChange): Promise<void> {
  const { session, domain, text } = known;
  const device = findMemoryDevice(text);
  const { requestedBytes, maxBytes } = change;
  const call =
    device === undefined
      ? session.domainAttachDeviceFlags(
          { domain, xml: newMemoryDevice(maxBytes, requestedBytes), flags: BOTH },
          { signal },
        )
      : session.domainUpdateDeviceFlags(
          { domain, xml: resizedMemoryDevice(device, requestedBytes), flags: Modify.live },
          { signal },
        );
  await explained('the memory cannot be changed', call);
}

/** Asks the guest to let go of a disk; that it has done so is told by an event. */
async function detachDisk({ context, signal }: Pass, known: KnownDomain, name: string): Promise<void> {
  const { session, domain, text, owner } = known;
  const { detachAskedAt } = context.memories.of(owner.uid ?? '');
  const now = context.clock.monotonic();
  if (now - (detachAskedAt.get(name) ?? -Infinity) < AGAIN_MS) return;
  detachAskedAt.set(name, now);
  const device = findDevice(parseXml(text).root, 'disk', name);
  if (device === undefined) return;
  const call = session.domainDetachDeviceFlags({ domain, xml: printXml(device), flags: BOTH }, { signal });
  await explained(`the disk ${name} cannot be taken out`, call).catch((error: unknown) => {
    // It is on its way out already, or gone.
    if (!(error instanceof VirtHandlerError) || !isLibvirtError(error.cause, 'device-missing')) throw error;
  });
}

/** Plugs a disk in. What stands against it is told by the status of the volume, not by that of the whole instance. */
async function attachDisk(
  pass: Pass,
  { driver, known }: { readonly driver: DriverSession; readonly known: KnownDomain },
  name: string,
): Promise<void> {
  const { context, signal, findings } = pass;
  const { volumeProblems } = context.memories.of(known.owner.uid ?? '');
  try {
    const xml = await diskToPlugIn(pass, driver, known, name);
    await explained(
      `the disk ${name} cannot be plugged in`,
      known.session.domainAttachDeviceFlags({ domain: known.domain, xml, flags: BOTH }, { signal }),
    );
    volumeProblems.delete(name);
  } catch (error) {
    signal.throwIfAborted();
    volumeProblems.set(name, messageOf(error));
    // Its pod is on its way, and what that writes brings another pass.
    if (isVirtHandlerError(error, 'volume-not-ready')) return;
    context.logger.warn({ instance: findings.known?.key, volume: name, error }, 'a volume cannot be plugged in');
  }
}

async function diskToPlugIn(pass: Pass, driver: DriverSession, known: KnownDomain, name: string): Promise<string> {
  const { context, instance, findings, signal } = pass;
  if (findings.sandbox === undefined) {
    throw new VirtHandlerError('unavailable', 'the launcher pod is not on this node');
  }
  const sandbox = await withAttachedVolumes(context.sandboxes, { instance, sandbox: findings.sandbox }, signal);
  requirePluggable(findings.sandbox, sandbox, name);
  const directory = context.directories.pathOf(instance);
  const { hypervisor } = driver;
  const volumes = await context.volumes.prepare(
    { instance, hypervisor, sandbox, directory, isMigrationTarget: false },
    signal,
  );
  // From now on the volume has to be taken back when the instance ends.
  await context.directories.update(instance);
  const networks = context.memories.of(known.owner.uid ?? '').networks ?? [];
  const request = { instance, driver, sandbox, domain: known, directory, volumes, networks };
  const built = buildDomain(hypervisor, instance, await contextOf(context, request, signal));
  const disk = findDevice(built, 'disk', name);
  if (disk === undefined) {
    const message = `the volume ${name} is not on the node yet; see whether its claim is there, and the events of its pod hp-volume-…`;
    throw new VirtHandlerError('volume-not-ready', message);
  }
  return pluggableDisk(disk, known.report.disks);
}

/**
 * Has volumes taken back that were plugged in and that the guest has let go of, or never got, before anybody is told: their pods
 * are let go of then. What is written down on the node says which, for who asked the guest may have been an earlier handler.
 */
async function releaseDetached({ context, instance, findings, signal }: Pass, { report }: KnownDomain): Promise<void> {
  const { detachAskedAt } = context.memories.of(instance.metadata.uid ?? '');
  const plugged = new Set(report.disks.map(({ name }) => name));
  const wanted = new Set((instance.spec.volumes ?? []).map(({ name }) => name));
  const volumes = (findings.record?.instance.spec.volumes ?? []).filter(
    (volume) =>
      isHotplugged(volume) &&
      !plugged.has(volume.name) &&
      (!wanted.has(volume.name) || holdsOtherClaim(instance, volume.name)),
  );
  if (volumes.length > 0) {
    const leaving = { ...instance, spec: { ...instance.spec, volumes } };
    const directory = context.directories.pathOf(instance);
    await context.volumes.release({ instance: leaving, directory }, signal);
    const names = volumes.map(({ name }) => name);
    await removeVolumeFiles(directory, names);
    await context.directories.forgetVolumes(instance, names);
  }
  for (const name of detachAskedAt.keys()) if (!plugged.has(name)) detachAskedAt.delete(name);
}

/** What is no longer asked for is no problem any more. */
function forgetProblems({ context, instance }: Pass, attaching: readonly string[]): void {
  const { volumeProblems } = context.memories.of(instance.metadata.uid ?? '');
  for (const name of volumeProblems.keys()) if (!attaching.includes(name)) volumeProblems.delete(name);
}

async function explained(what: string, call: Promise<void>): Promise<void> {
  try {
    await call;
  } catch (error) {
    throw explainLibvirtFailure(error, what);
  }
}
