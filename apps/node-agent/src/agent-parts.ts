import type { Clock, AgentPart } from '@smalt/controller-runtime';
import type { Systemd } from '@smalt/systemd';

import type { AgentContext } from './agent-context.ts';
import type { CertificatesSettings } from './certificates/certificates-part.ts';
import { createHostPart } from './host/host-part.ts';
import { addLibvirtMetrics } from './metrics/add-libvirt-metrics.ts';
import type { AgentMetrics } from './metrics/agent-metrics.ts';
import { createMigrationsPart } from './migrations/migrations-part.ts';
import type { NodeAgentOptions } from './node-agent-options.ts';
import { createOperatingSystemPart } from './operating-system/operating-system-part.ts';
import { createUnitsPart, HYPERVISOR_UNITS } from './units/units-part.ts';

const DEFAULT_POLL_MS = 60_000;

export interface PartSources {
  readonly context: AgentContext;
  readonly options: NodeAgentOptions;
  /** Nothing where there is no bus. */
  readonly systemd: Systemd | undefined;
  readonly agentMetrics: AgentMetrics;
  readonly clock: Clock;
}

/** The parts of an agent, in the order in which they are started. What this node has no use for is not even loaded. */
export async function createAgentParts(sources: PartSources): Promise<readonly AgentPart[]> {
  const { context, options, systemd, agentMetrics, clock } = sources;
  const { pollMs = DEFAULT_POLL_MS, domainTimeoutMs, units = HYPERVISOR_UNITS, root = '/' } = options;
  // A daemon that we manage is none of systemd's.
  const services = options.libvirt.kind === 'managed' ? undefined : systemd;
  addLibvirtMetrics(context);
  return [
    createHostPart(context, { pollMs, domainTimeoutMs, clock, agentMetrics, systemd: services }),
    createMigrationsPart(context, { timeToLiveMs: options.migrations?.timeToLiveMs, clock }),
    createOperatingSystemPart(context, { root, systemd, clock }),
    createUnitsPart(context, { units, systemd, clock }),
    ...(await careParts(sources)),
    ...(await certificateParts(sources)),
    ...(await haParts(sources)),
  ];
}

/** Updates and reboots. */
async function careParts({ context, options, systemd, clock }: PartSources): Promise<readonly AgentPart[]> {
  const [{ HostEvacuation }, { createRebootPart }, { createOsUpdatePart }] = await Promise.all([
    import('./reboot/host-evacuation.ts'),
    import('./reboot/reboot-part.ts'),
    import('./os-update/os-update-part.ts'),
  ]);
  const evacuation = new HostEvacuation(context, { clock });
  const { updateLimitMs, rebootLimitMs } = options;
  return [
    createRebootPart(context, { systemd, evacuation, limitMs: rebootLimitMs, clock }),
    createOsUpdatePart(context, { systemd, evacuation, updateLimitMs, clock }),
  ];
}

async function certificateParts({ context, options, systemd, clock }: PartSources): Promise<readonly AgentPart[]> {
  const { certificates } = options;
  if (certificates?.install !== true) return [];
  const { createCertificatesPart } = await import('./certificates/certificates-part.ts');
  const { directory, namespace, guestAccount } = certificates;
  const installation = { directory, namespace, guestAccount, root: options.root, clock };
  return [createCertificatesPart(context, { ...installation, ...daemonOf(options, systemd) })];
}

/** Where the daemon that uses the certificates is told of them, and how it runs its guests. */
function daemonOf(
  { libvirt }: NodeAgentOptions,
  systemd: Systemd | undefined,
): Pick<CertificatesSettings, 'systemd' | 'adminDirectory' | 'qemuConfigPath'> {
  // A daemon that we manage is none of systemd's, and has directories of its own.
  if (libvirt.kind === 'host') return { systemd };
  const { directory } = libvirt;
  return { systemd: undefined, adminDirectory: `${directory}/run`, qemuConfigPath: `${directory}/etc/qemu.conf` };
}

async function haParts({ context, options }: PartSources): Promise<readonly AgentPart[]> {
  if (options.ha === undefined) return [];
  const { createHaAgent } = await import('@smalt/ha-agent');
  const { board, hypervisor, recorder, nodeName } = context;
  const nobody = { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata: { name: nodeName } };
  return [
    createHaAgent({
      ...context,
      settings: options.ha,
      status: (condition) => board.state('ha-agent', { conditions: [condition] }),
      recorder: ({ type, reason, message }) =>
        void recorder.record(hypervisor.current ?? nobody, type, reason, message),
    }),
  ];
}
