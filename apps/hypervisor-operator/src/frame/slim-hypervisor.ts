import type { ObjectChange } from '@smalt/controller-runtime';
import type { Hypervisor, HypervisorStatus } from '@smalt/fleet-api';
import type { ManagedFieldsEntry } from '@smalt/kubernetes';

/** What agents tell and nothing in the operator reads; it is most of a hypervisor, and changes all the time. */
const UNREAD = [
  'allocation',
  'capacity',
  'cells',
  'domainCapabilities',
  'effectiveCapacity',
  'instances',
  'updateStatus',
] as const;

/** A hypervisor as the operator keeps it: without what it does not read. Of managed fields only the managers stay. */
export function slimHypervisor(hypervisor: Hypervisor): Hypervisor {
  const { metadata, status } = hypervisor;
  const managedFields = (metadata.managedFields ?? []).flatMap(({ manager }): ManagedFieldsEntry[] =>
    manager === undefined ? [] : [{ manager }],
  );
  return {
    ...hypervisor,
    metadata: { ...metadata, managedFields },
    ...(status !== undefined && { status: slimStatus(status) }),
  };
}

function slimStatus(status: HypervisorStatus): HypervisorStatus {
  const slim: Partial<Record<keyof HypervisorStatus, unknown>> & HypervisorStatus = { ...status };
  for (const name of UNREAD) delete slim[name];
  return { ...slim, ...factsForMetrics(status) };
}

// The cache shares what did not change, so these small objects cost no controller a look.
function factsForMetrics({ capabilities, operatingSystem }: HypervisorStatus): Partial<HypervisorStatus> {
  const { cpus } = capabilities ?? {};
  const { hardwareModel, prettyVersion } = operatingSystem ?? {};
  return {
    ...(capabilities && { capabilities: cpus === undefined ? {} : { cpus } }),
    ...(operatingSystem && {
      operatingSystem: {
        ...(hardwareModel !== undefined && { hardwareModel }),
        ...(prettyVersion !== undefined && { prettyVersion }),
      },
    }),
  };
}

/** Whether a change can matter to a controller: a new version alone, from a write to what nobody here reads, does not. */
export function isWorthALook({ old, current }: ObjectChange<Hypervisor>): boolean {
  if (old === undefined || current === undefined) return true;
  return old.status !== current.status || isChangedBesideStatus(old, current);
}

/** Whether anything but the status has changed. */
export function isChangedBesideStatus(old: Hypervisor, current: Hypervisor): boolean {
  const { metadata: before } = old;
  const { metadata: now } = current;
  // The cache shares what did not change between versions of an object, so identity is enough.
  return (
    old.spec !== current.spec ||
    before.uid !== now.uid ||
    before.generation !== now.generation ||
    before.labels !== now.labels ||
    before.annotations !== now.annotations ||
    before.deletionTimestamp !== now.deletionTimestamp
  );
}
