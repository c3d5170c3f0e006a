import { hypervisors, type Hypervisor } from '@smalt/hypervisors';
import {
  ConnectBaselineCpuFlags,
  isConnectionLost,
  isLibvirtError,
  isTimeout,
  isUnsupported,
  type LibvirtSession,
} from '@smalt/libvirt';
import type { Ignore } from '@smalt/service-runtime';
import type { DriverAbility, NodeAbilities } from '@smalt/vm-lifecycle';

import type { HypervisorSessions } from '../hypervisor-sessions/hypervisor-sessions.ts';
import { isVirtHandlerError } from '../virt-handler-error.ts';
import { readDomainCapabilities, readFeatures, type DomainAbilities } from './read-domain-capabilities.ts';
import { readHost, type HostDescription } from './read-host.ts';

export interface AbilityDeps {
  readonly sessions: Pick<HypervisorSessions, 'find' | 'availableDrivers'>;
  /** Whether a device of the node, such as `kvm`, is there and can be opened. */
  readonly canOpen: (device: string) => Promise<boolean>;
  /** Whether threads may run in real time for as long as they like. */
  readonly isRealtime: () => Promise<boolean>;
  readonly ignore: Ignore;
}

/** Models that no guest should be started with any more: a host that has nothing better is told by a label. */
const OBSOLETE_MODELS: readonly string[] = (
  '486 pentium pentium2 pentium3 pentiumpro coreduo n270 core2duo Conroe athlon phenom qemu64 qemu32 kvm64 kvm32 ' +
  'Opteron_G1 Opteron_G2'
).split(' ');

/** libvirt has looked at its emulators by then; whoever waits longer tells nobody that the node lives. */
const TIMEOUT_MS = 15_000;

export interface FoundAbilities {
  readonly abilities: NodeAbilities;
  /** Whether every driver that works has told what its guests can have; else it is to be asked again. */
  readonly isCurrent: boolean;
  /** Whether every one has told it at some time. */
  readonly isComplete: boolean;
}

/**
 * Finds out what this node can run, by asking the libvirt of each driver. For one that does not tell, what it told last
 * counts, which is kept in `remembered`.
 */
export async function findAbilities(
  deps: AbilityDeps,
  remembered: Map<string, MachineAbilities>,
  signal: AbortSignal,
): Promise<FoundAbilities> {
  const offered = hypervisors.filter(({ name }) => deps.sessions.find(name) !== undefined);
  const drivers = await Promise.all(offered.map((hypervisor) => abilityOf(deps, hypervisor)));
  const usable = offered.filter(({ name }) => drivers.some((driver) => driver.name === name && driver.isUsable));
  const machines = await Promise.all(
    usable.map(async (hypervisor) => {
      const last = remembered.get(hypervisor.name);
      const machine = await findMachine(deps, hypervisor, last, signal);
      if (machine === 'none') remembered.delete(hypervisor.name);
      else if (machine !== 'silent') remembered.set(hypervisor.name, machine);
      return machine === 'silent' ? { isSilent: true, last } : { isSilent: false, last: machine };
    }),
  );
  const known = machines.flatMap(({ last }) => (last === undefined || last === 'none' ? [] : [last]));
  const facts = machineFacts(known);
  const traits = unique([...facts.traits, ...((await deps.isRealtime()) ? ['realtime'] : [])]);
  return {
    abilities: { drivers, ...facts, traits },
    isCurrent: machines.every(({ isSilent }) => !isSilent),
    isComplete: machines.every(({ last }) => last !== undefined),
  };
}

async function abilityOf({ sessions, canOpen }: AbilityDeps, { name, device }: Hypervisor): Promise<DriverAbility> {
  const isAvailable = sessions.availableDrivers().includes(name);
  return { name, device, isUsable: isAvailable && (device === undefined || (await canOpen(device))) };
}

/** What the guests of one driver can have. */
export interface MachineAbilities extends DomainAbilities {
  readonly host: HostDescription;
  readonly features: readonly string[];
}

/** `none` for drivers whose guests are no machines, `silent` when that cannot be told now. */
async function findMachine(
  { sessions, ignore }: AbilityDeps,
  { name, domainType }: Hypervisor,
  last: MachineAbilities | undefined,
  signal: AbortSignal,
): Promise<MachineAbilities | 'none' | 'silent'> {
  const session = sessions.find(name)?.session;
  if (session === undefined) return 'none';
  const options = { signal, timeoutMs: TIMEOUT_MS };
  try {
    const host = readHost(await session.connectGetCapabilities(options));
    const type = { virtualizationType: domainType, architecture: host.architecture };
    const abilities = readDomainCapabilities(await session.connectGetDomainCapabilities(type, options));
    return { ...abilities, host, features: await findFeatures(session, abilities, { ...type, last, ignore, signal }) };
  } catch (error) {
    if (signal.aborted || !(isLibvirtError(error) || isVirtHandlerError(error, 'unavailable'))) throw error;
    ignore(error, 'a hypervisor does not tell what its guests can have');
    return isUnsupported(error) ? 'none' : 'silent';
  }
}

interface FeatureQuestion {
  readonly virtualizationType: string;
  readonly architecture: string;
  readonly last: MachineAbilities | undefined;
  readonly ignore: Ignore;
  readonly signal: AbortSignal;
}

/** All features of the processor that guests see; those beyond its model where libvirt cannot spell a model out. */
async function findFeatures(
  session: LibvirtSession,
  { hostModel }: DomainAbilities,
  { virtualizationType, architecture, last, ignore, signal }: FeatureQuestion,
): Promise<readonly string[]> {
  if (hostModel === undefined) return [];
  const flags = ConnectBaselineCpuFlags.expandFeatures;
  const question = { virtualizationType, architecture, xmls: [hostModel.xml], flags };
  try {
    return readFeatures(await session.connectBaselineHypervisorCpu(question, { signal, timeoutMs: TIMEOUT_MS }));
  } catch (error) {
    if (signal.aborted || !isLibvirtError(error) || isTimeout(error) || isConnectionLost(error)) throw error;
    ignore(error, 'libvirt does not spell a model of processors out');
    // What was spelt out once has not changed.
    return last?.hostModel?.xml === hostModel.xml ? last.features : hostModel.requiredFeatures;
  }
}

/** What any driver can have counts; the host's own model is that of the first driver, which uses the processor itself. */
function machineFacts(machines: readonly MachineAbilities[]): Omit<NodeAbilities, 'drivers'> {
  const [first] = machines;
  const hostModel = machines.find((machine) => machine.hostModel !== undefined)?.hostModel;
  const vendor = hostModel?.vendor ?? first?.host.cpuVendor;
  return {
    cpuModels: unique(machines.flatMap(({ cpuModels }) => cpuModels)),
    cpuFeatures: unique(machines.flatMap(({ features }) => features)),
    machineTypes: unique(machines.flatMap(({ host }) => host.machineTypes)),
    traits: unique(machines.flatMap(({ traits }) => traits)),
    ...(vendor === undefined ? {} : { cpuVendor: vendor }),
    ...(first?.host.timer === undefined ? {} : { timer: first.host.timer }),
    ...(hostModel === undefined
      ? {}
      : {
          hostModel: {
            name: hostModel.name,
            requiredFeatures: hostModel.requiredFeatures,
            isObsolete: OBSOLETE_MODELS.includes(hostModel.name),
          },
        }),
  };
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}
