import {
  ComputeError,
  type ComputeEvacuation,
  type ComputeEvacuations,
  type HostIdentity,
  type RebuildRules,
} from '@smalt/compute';
import type { Node } from '@smalt/placement';
import { isFinalPhase, WellKnownName, type VirtualMachine, type VirtualMachineInstance } from '@smalt/vm-api';
import { fenceProofOf, judgeLoss, possibleNodes, seenNode } from '@smalt/vm-lifecycle';

import { findInstance } from '../instances/found-instance.ts';
import type { InstanceIds } from '../instances/instance-ids.ts';
import { isAlwaysStarted } from '../instances/read-instance.ts';
import { ObjectName } from '../object-names.ts';
import type { Relocation } from '../relocation.ts';
import { RelocationNotes, type NotedRelocation } from '../relocation-notes.ts';
import { unlessGone } from '../to-compute-error.ts';
import type { VmApiAccess } from '../vm-api-access.ts';

export interface VmEvacuationsOptions {
  readonly api: VmApiAccess;
  readonly ids: InstanceIds;
  readonly now: () => number;
  readonly newId: () => string;
}

/**
 * Evacuations are what virt-controller does of itself once a node is proved to be off: it ends the instance, and the
 * machine gets another one. What is asked for here is noted on the machine, so that it can be told how it went.
 */
export class VmEvacuations implements ComputeEvacuations {
  readonly rules: RebuildRules = { isAutomatic: true, states: new Set(['running', 'paused', 'busy']) };
  readonly #options: VmEvacuationsOptions;
  readonly #notes: RelocationNotes;

  constructor(options: VmEvacuationsOptions) {
    this.#options = options;
    const { evacuationAnnotation: annotation, evacuatedFromLabel: label } = ObjectName;
    this.#notes = new RelocationNotes({ api: options.api, annotation, label });
  }

  async list(host: HostIdentity, since: Date, signal: AbortSignal): Promise<readonly ComputeEvacuation[]> {
    const { api } = this.#options;
    const [noted, node] = await Promise.all([
      this.#notes.from(host.serviceId, signal),
      unlessGone('read', () => api.nodes.get(host.serviceId, { signal })),
    ]);
    return noted
      .filter(({ state, relocation }) => state === 'open' || Date.parse(relocation.startedAt) >= since.getTime())
      .map((each) => readEvacuation(each, node));
  }

  async start(instanceId: string, options: { readonly targetName?: string }, signal: AbortSignal): Promise<void> {
    const { now, newId } = this.#options;
    if (options.targetName !== undefined) {
      const message = `${instanceId} cannot be sent to ${options.targetName}: the scheduler chooses the node of a virtual machine`;
      throw new ComputeError('refused', message);
    }
    const { machine, vmi } = await this.#find(instanceId, signal);
    const source = await this.#requireDead(instanceId, vmi, signal);
    const startedAt = new Date(now()).toISOString();
    const relocation = { id: newId(), ...source, instanceUid: vmi.metadata.uid ?? '', startedAt };
    await this.#notes.add(machine, relocation, signal);
  }

  async #find(
    instanceId: string,
    signal: AbortSignal,
  ): Promise<{ readonly machine: VirtualMachine; readonly vmi: VirtualMachineInstance }> {
    const found = await findInstance(this.#options, instanceId, signal);
    if (found === undefined) throw new ComputeError('not-found', `there is no instance ${instanceId}`);
    const { vmi, machine } = found;
    if (vmi === undefined) throw new ComputeError('conflict', `${instanceId} has no instance now, so it is on no host`);
    if (machine === undefined) {
      throw new ComputeError('refused', `${instanceId} belongs to no VirtualMachine: nobody starts it elsewhere`);
    }
    if (isAlwaysStarted(machine)) return { machine, vmi };
    const message = `the run strategy of ${instanceId} is neither Always nor RerunOnFailure: it is started by its owner alone`;
    throw new ComputeError('refused', message);
  }

  /** The node that an instance was on, which has to be proved to be off. */
  async #requireDead(
    instanceId: string,
    vmi: VirtualMachineInstance,
    signal: AbortSignal,
  ): Promise<Pick<Relocation, 'source' | 'heartbeat'>> {
    const { api } = this.#options;
    const names = possibleNodes(vmi);
    const [home] = names;
    if (home === undefined) throw new ComputeError('conflict', `${instanceId} is on no host`);
    const nodes = await Promise.all(names.map((name) => unlessGone('read', () => api.nodes.get(name, { signal }))));
    const left = { source: home, heartbeat: heartbeatOf(nodes[0]) ?? '' };
    const known = nodes.flatMap((node) => (node === undefined ? [] : [node]));
    if (isFinalPhase(vmi.status?.phase) && known.some((node) => fenceProofOf(node) !== undefined)) return left;
    // A node that was proved to be off after it was last heard of need not be silent for long.
    const health = new Map(known.map((node) => [node.metadata.name, { kind: 'silent', ...seenNode(node) } as const]));
    const fenceProofs = known.flatMap((node) => fenceProofOf(node) ?? []);
    if (judgeLoss({ vmi, nodes: health, fenceProofs }) === 'proven') return left;
    const message = `${instanceId} may still run on ${names.join(' or ')}: prove that it is off and declare it dead first`;
    throw new ComputeError('conflict', message);
  }
}

function readEvacuation(noted: NotedRelocation, node: Node | undefined): ComputeEvacuation {
  const { id, source, startedAt } = noted.relocation;
  return {
    id,
    instanceId: noted.instanceId,
    state: noted.state,
    stateText: noted.text,
    sourceName: source,
    targetName: noted.targetName,
    // A handler that is heard of has looked at its domains, and removes those that are elsewhere.
    isCleared: isHeardSince(noted.relocation, node),
    startedAt,
  };
}

/**
 * Whether a node shows another heartbeat than the one that was its last. Times are not compared: its clock is another than that
 * of whoever noted it. A note without one is of an earlier version; then only the fence note can say which was the last.
 */
function isHeardSince({ heartbeat }: Relocation, node: Node | undefined): boolean {
  const last = heartbeat ?? fenceProofOf(node)?.boot?.heartbeat;
  const { lastHeartbeat } = seenNode(node);
  if (last === undefined || lastHeartbeat === undefined) return false;
  return heartbeatOf(node) !== last;
}

function heartbeatOf(node: Node | undefined): string | undefined {
  return node?.metadata.annotations?.[WellKnownName.heartbeatAnnotation];
}
