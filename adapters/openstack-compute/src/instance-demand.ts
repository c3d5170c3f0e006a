import type { Server, ServerFlavor } from '@smalt/openstack';

const MIB_PER_GIB = 1024;

/** What an instance asks of its host beside resources, in the words of Placement and of Nova's scheduler. */
export interface InstanceDemand {
  readonly requiredTraits: readonly string[];
  readonly forbiddenTraits: readonly string[];
  /** What the aggregates of its host must say. */
  readonly aggregateSpecs: Readonly<Record<string, string>>;
  readonly projectId: string | undefined;
}

const NOTHING: InstanceDemand = {
  requiredTraits: [],
  forbiddenTraits: [],
  aggregateSpecs: {},
  projectId: undefined,
};

/** What a server asks for by its flavor. */
export function instanceDemand({ flavor, projectId }: Server): InstanceDemand {
  if (flavor === undefined) return { ...NOTHING, projectId };
  const specs = Object.entries(flavor.extraSpecs);
  const traits = (wish: string): readonly string[] =>
    specs.filter(([name, value]) => name.startsWith('trait:') && value === wish).map(([name]) => name.slice(6));
  const aggregateSpecs = specs
    .filter(([name]) => name.startsWith('aggregate_instance_extra_specs:'))
    .map(([name, value]) => [name.slice(name.indexOf(':') + 1), value] as const);
  return {
    requiredTraits: traits('required'),
    forbiddenTraits: traits('forbidden'),
    aggregateSpecs: Object.fromEntries(aggregateSpecs),
    projectId,
  };
}

/**
 * What a server takes of its host by its flavor, by resource class. Demands on separate providers (`resources1:…`) are left
 * to the scheduler.
 */
export function demandedResources({ flavor, imageId }: Server): Readonly<Record<string, number>> {
  if (flavor === undefined) return {};
  const { extraSpecs } = flavor;
  const resources = new Map([
    ...cpus(flavor),
    ['MEMORY_MB', flavor.memoryMiB] as const,
    ['DISK_GB', localDiskGiB(flavor, imageId === undefined)] as const,
  ]);
  for (const [name, value] of Object.entries(extraSpecs)) {
    const amount = Number(value);
    if (name.startsWith('resources:') && Number.isInteger(amount)) resources.set(name.slice(10), amount);
  }
  return Object.fromEntries([...resources].filter(([, amount]) => amount > 0));
}

/** The root disk of a server that boots from a volume is not local. */
function localDiskGiB(flavor: ServerFlavor, bootsFromVolume: boolean): number {
  const root = bootsFromVolume ? 0 : flavor.diskGiB;
  return root + flavor.ephemeralGiB + Math.ceil(flavor.swapMiB / MIB_PER_GIB);
}

function cpus({ vcpus, extraSpecs }: ServerFlavor): readonly (readonly [string, number])[] {
  const policy = extraSpecs['hw:cpu_policy'];
  // How many of mixed ones are dedicated is hidden in a mask; the scheduler will look.
  if (policy === 'mixed') return [];
  return [[policy === 'dedicated' ? 'PCPU' : 'VCPU', vcpus]];
}
