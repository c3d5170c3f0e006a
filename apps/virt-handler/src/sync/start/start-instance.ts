import {
  printDomain,
  type BootKernel,
  type DomainContext,
  type DomainHostDevice,
  type DomainVolume,
} from '@smalt/domain-xml';
import { DomainCreateFlags, DomainState, isNoDomain, isOperationInvalid, type Domain } from '@smalt/libvirt';
import type { PodSandbox } from '@smalt/pod-sandbox';
import type { VirtualMachineInstance } from '@smalt/vm-api';

import type { DriverSession } from '../../hypervisor-sessions/hypervisor-sessions.ts';
import type { ConnectedNetwork, InstanceNetworks } from '../../network/network-plugin.ts';
import type { KernelPlace } from '../../storage/kernel-boot/prepare-kernel.ts';
import type { InstanceVolumes } from '../../storage/volume-plugin.ts';
import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { DomainCache } from '../domains/domain-cache.ts';
import type { KnownDomain } from '../domains/known-domain.ts';
import { isOn } from '../decide/decide-sync.ts';
import type { Sandboxes } from '../sandboxes.ts';
import type { InstanceDirectories } from '../end/instance-directories.ts';
import { adoptGuest } from './adopt-guest.ts';
import { domainContext, type NodeConstants } from './domain-context.ts';
import { describeHolder } from './describe-holder.ts';
import { explainLibvirtFailure } from './explain-libvirt-failure.ts';
import { vsockAddress } from './vsock-address.ts';

/** The steps of a start. Each can be repeated, and a start goes on where an earlier one ended. */
export const START_STEPS = ['directory', 'volumes', 'networks', 'define', 'create', 'cgroup', 'resume'] as const;
export type StartStep = (typeof START_STEPS)[number];

export interface StartDeps {
  readonly volumes: InstanceVolumes;
  readonly networks: InstanceNetworks;
  readonly sandboxes: Pick<Sandboxes, 'moveToGuestCgroup'>;
  readonly directories: InstanceDirectories;
  readonly cache: Pick<DomainCache, 'refresh' | 'list'>;
  readonly constants: NodeConstants;
  readonly findHostDevices: (
    instance: VirtualMachineInstance,
    sandbox: PodSandbox,
  ) => Promise<readonly DomainHostDevice[]>;
  readonly findKernel: (place: KernelPlace, signal: AbortSignal) => Promise<BootKernel | undefined>;
  /** Told of each step that was done. */
  readonly onStep: (step: StartStep) => void;
}

export interface StartRequest {
  readonly instance: VirtualMachineInstance;
  readonly driver: DriverSession;
  readonly sandbox: PodSandbox;
  /** What an earlier attempt left. */
  readonly domain: KnownDomain | undefined;
}

/** Makes the guest of an instance run in the cgroup of its pod; it does not run for a moment outside of it. */
export async function startInstance(
  deps: StartDeps,
  request: StartRequest,
  signal: AbortSignal,
): Promise<readonly ConnectedNetwork[]> {
  const { instance, driver, sandbox } = request;
  const { directories, onStep } = deps;
  const account = driver.capabilities?.guestAccount;
  const directory = await directories.prepare(instance, sandbox.podUid, account, sandbox.launcher);
  onStep('directory');
  const { networks, domain } = isOn(request.domain?.state)
    ? { networks: await deps.networks.connect(instance, signal, sandbox), domain: request.domain?.domain }
    : await createGuest(deps, { ...request, directory }, signal);
  if (domain === undefined) throw new VirtHandlerError('start-failed', 'libvirt has not made the domain');
  await adoptGuest(deps.sandboxes, { driver, domain, sandbox }, signal);
  onStep('cgroup');
  await letRun(request, domain, signal);
  onStep('resume');
  await deps.cache.refresh({ session: driver.session, domain }, signal);
  return networks;
}

interface CreateRequest extends StartRequest {
  readonly directory: string;
}

interface CreatedGuest {
  readonly networks: readonly ConnectedNetwork[];
  readonly domain: Domain;
}

/** Prepares what the guest needs, defines its domain and makes its process, which stands still if that can be had. */
async function createGuest(deps: StartDeps, request: CreateRequest, signal: AbortSignal): Promise<CreatedGuest> {
  const { instance, driver, sandbox, directory } = request;
  const { hypervisor, session } = driver;
  const place = { instance, hypervisor, sandbox, directory, isMigrationTarget: false };
  const volumes = await deps.volumes.prepare(place, signal);
  deps.onStep('volumes');
  const networks = await deps.networks.connect(instance, signal, sandbox);
  deps.onStep('networks');
  const text = printDomain(hypervisor, instance, await contextOf(deps, { ...request, volumes, networks }, signal));
  const domain = await define(request, text, signal);
  deps.onStep('define');
  const flags = hypervisor.libvirt.canStartPaused ? DomainCreateFlags.paused : DomainCreateFlags.none;
  try {
    await session.domainCreateWithFlags({ domain, flags }, { signal });
  } catch (error) {
    // libvirt tells nobody that a start failed, so whoever looked meanwhile takes the guest for one that is on. If this
    // look fails too, libvirt is away, and everything is listed again once it is back.
    await Promise.allSettled([deps.cache.refresh({ session, domain }, signal)]);
    throw explainLibvirtFailure(error, `the guest cannot be started`);
  }
  deps.onStep('create');
  return { networks, domain };
}

interface PreparedGuest extends CreateRequest {
  readonly volumes: readonly DomainVolume[];
  readonly networks: readonly ConnectedNetwork[];
}

/** What the XML of the domain needs of this node. */
export async function contextOf(deps: StartDeps, prepared: PreparedGuest, signal: AbortSignal): Promise<DomainContext> {
  const { instance, directory, volumes, networks, sandbox, driver } = prepared;
  const taken = deps.cache.list().map(({ report }) => report.vsockCid);
  return domainContext({
    instance,
    directory,
    volumes,
    networks,
    sandbox,
    capabilities: driver.capabilities,
    hostDevices: await deps.findHostDevices(instance, sandbox),
    kernel: await deps.findKernel({ instance, sandbox, directory }, signal),
    dedicatedCpus: sandbox.processors,
    firmware: await deps.constants.firmware({ instance, driver }, signal),
    machineLabel: deps.constants.machineLabel,
    vsockAddress: vsockAddress(instance, taken),
  });
}

async function define({ driver, instance }: StartRequest, text: string, signal: AbortSignal): Promise<Domain> {
  const { session } = driver;
  try {
    return await session.domainDefineXmlFlags({ xml: text }, { signal });
  } catch (error) {
    const uuid = instance.spec.domain.firmware?.uuid;
    const other = uuid === undefined ? undefined : await lookUp(session, uuid, signal);
    if (other === undefined) throw explainLibvirtFailure(error, 'libvirt refuses the domain');
    const field = 'spec.domain.firmware.uuid';
    const holder = describeHolder(other.name, instance.metadata.namespace);
    const message = `${field}: ${uuid} is that of ${holder} on this node; give each instance one of its own`;
    throw new VirtHandlerError('conflict', message, { cause: error, field });
  }
}

async function lookUp(
  session: DriverSession['session'],
  uuid: string,
  signal: AbortSignal,
): Promise<Domain | undefined> {
  try {
    return await session.domainLookupByUuid({ uuid }, { signal });
  } catch (error) {
    if (isNoDomain(error)) return undefined;
    throw error;
  }
}

/** Lets the guest run, or stand still if it is to: hypervisors that cannot start it so are told afterwards. */
async function letRun({ instance, driver }: StartRequest, domain: Domain, signal: AbortSignal): Promise<void> {
  const { session } = driver;
  const { state } = await session.domainGetState({ domain }, { signal });
  const isPaused = state === DomainState.paused;
  const mustStandStill = instance.spec.startStrategy === 'Paused';
  if (isPaused === mustStandStill) return;
  try {
    if (isPaused) await session.domainResume({ domain }, { signal });
    else await session.domainSuspend({ domain }, { signal });
  } catch (error) {
    // It ended meanwhile, which the next pass finds out.
    if (!isOperationInvalid(error)) throw explainLibvirtFailure(error, 'the guest cannot be let run');
  }
}
