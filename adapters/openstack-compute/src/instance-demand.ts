import type { Server, ServerFlavor } from '@smalt/openstack';

const MIB_PER_GIB = 1024;

/** What an instance asks of its host, in the words of Placement and of Nova's scheduler. */
export interface InstanceDemand {
  /** By resource class. */
  readonly resources: Readonly<Record<string, number>>;
  readonly requiredTraits: readonly string[];
  readonly forbiddenTraits: readonly string[];
  /** What the aggregates of its host must say. */
  readonly aggregateSpecs: Readonly<Record<string, string>>;
  readonly projectId: string | undefined;
}

const NOTHING: InstanceDemand = {
  resources: {},
  requiredTraits: [],
  forbiddenTraits: [],
  aggregateSpecs: {},
  projectId: undefined,
};

/** What a server asks for by its flavor. Demands on separate providers (`resources1:…`) are left to the scheduler. */
export function instanceDemand({ flavor, imageId, projectId }: Server): InstanceDemand {
  if (flavor === undefined) return { ...NOTHING, projectId };
  const specs = Object.entries(flavor.extraSpecs);
  const traits = (wish: string): readonly string[] =>
    specs.filter(([name, value]) => name.startsWith('trait:') && value === wish).map(([name]) => name.slice(6));
  const aggregateSpecs = specs
    .filter(([name]) => name.startsWith('aggregate_instance_extra_specs:'))
    .map(([name, value]) => [name.slice(name.indexOf(':') + 1), value] as const);
  return {
    resources: demandedResources(flavor, imageId === undefined),
    requiredTraits: traits('required'),
    forbiddenTraits: traits('forbidden'),
    aggregateSpecs: Object.fromEntries(aggregateSpecs),
    projectId,
  };
}

/** How much local disk a server takes: the root disk of one that boots from a volume is not local. */
export function localDiskGiB(flavor: ServerFlavor, bootsFromVolume: boolean): number {
  const root = bootsFromVolume ? 0 : flavor.diskGiB;
  return root + flavor.ephemeralGiB + Math.ceil(flavor.swapMiB / MIB_PER_GIB);
}

function demandedResources(flavor: ServerFlavor, bootsFromVolume: boolean): Readonly<Record<string, number>> {
  const { extraSpecs } = flavor;
  const resources = new Map([
    ...cpus(flavor),
    ['MEMORY_MB', flavor.memoryMiB] as const,
    ['DISK_GB', localDiskGiB(flavor, bootsFromVolume)] as const,
  ]);
  for (const [name, value] of Object.entries(extraSpecs)) {
    const amount = Number(value);
    if (name.startsWith('resources:') && Number.isInteger(amount)) resources.set(name.slice(10), amount);
  }
  return Object.fromEntries([...resources].filter(([, amount]) => amount > 0));
}

function cpus({ vcpus, extraSpecs }: ServerFlavor): readonly (readonly [string, number])[] {
  const policy = extraSpecs['hw:cpu_policy'];
  // How many of mixed ones are dedicated is hidden in a mask; the scheduler will look.
  if (policy === 'mixed') return [];
  return [[policy === 'dedicated' ? 'PCPU' : 'VCPU', vcpus]];
}
