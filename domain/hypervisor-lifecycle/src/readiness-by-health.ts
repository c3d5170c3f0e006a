import { HypervisorConditionReason, HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';
import { OVSNodeConditionType, type OVSNode } from '@smalt/ovs-api';

import { conditionOf } from './condition-of.ts';
import { networkTrouble } from './network-trouble.ts';
import { notReady, sentence, type Readiness, type ReadinessFacts, type ReadinessSettings } from './readiness.ts';

/** Something that is wrong, and since when. */
interface Trouble {
  readonly reason: string;
  readonly message: string;
  readonly since: string | undefined;
}

const { Ready: Reason } = HypervisorConditionReason;

/** Says whether a hypervisor that is onboarded and in use is healthy enough for it. Trouble counts once it has lasted. */
export function readinessByHealth(facts: ReadinessFacts, settings: ReadinessSettings): Readiness {
  const waits: number[] = [];
  for (const trouble of troubles(facts, settings)) {
    const waitMs = graceLeftMs(trouble.since, facts.nowMs, settings.graceMs);
    if (waitMs === 0) return { ...notReady(trouble.reason, trouble.message), isWarning: true };
    waits.push(waitMs);
  }
  const ready = { isReady: true, reason: Reason.ready, message: 'Hypervisor is ready', isWarning: false };
  return waits.length === 0 ? ready : { ...ready, againInMs: Math.min(...waits) };
}

function troubles({ hypervisor, network }: ReadinessFacts, settings: ReadinessSettings): readonly Trouble[] {
  const libvirt = settings.followsLibvirt ? libvirtTrouble(hypervisor) : undefined;
  const ovs = settings.followsNetwork && network !== undefined ? ovsTrouble(network) : undefined;
  return [libvirt, ovs].filter((trouble) => trouble !== undefined);
}

function libvirtTrouble(hypervisor: Hypervisor): Trouble | undefined {
  const connection = conditionOf(hypervisor, HypervisorConditionType.libvirtConnection);
  if (connection?.status !== 'False') return undefined;
  const message = `The node agent cannot use libvirt (${connection.reason}): ${sentence(connection.message)} Look at libvirtd.service on the host`;
  return { reason: Reason.libvirtUnreachable, message, since: connection.lastTransitionTime };
}

function ovsTrouble(network: OVSNode): Trouble | undefined {
  const ready = network.status?.conditions?.find(({ type }) => type === OVSNodeConditionType.ready);
  if (ready?.status !== 'False') return undefined;
  const { name } = network.metadata;
  const message = `Open vSwitch is not healthy: ${sentence(networkTrouble(network))} See "kubectl describe ovsnode ${name}", and look at openvswitch-switch.service on the host`;
  return { reason: Reason.networkUnhealthy, message, since: ready.lastTransitionTime };
}

function graceLeftMs(since: string | undefined, nowMs: number, graceMs: number): number {
  const sinceMs = Date.parse(since ?? '');
  // A time that is not given, or not yet come on a host whose clock is wrong, must not hide the trouble.
  if (Number.isNaN(sinceMs) || sinceMs > nowMs + graceMs) return 0;
  return Math.max(0, Math.min(graceMs, sinceMs + graceMs - nowMs));
}
