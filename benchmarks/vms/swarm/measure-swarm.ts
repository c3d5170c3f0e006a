import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { SmaltProgram } from '@smalt/bed-kubernetes';
import { startTestDaemons } from '@smalt/bed-libvirt';
import type { JsonObject } from '@smalt/json';

import { PeerProcess } from '../../src/peer-process.ts';
import { readProcessCpu } from '../../src/process-cpu.ts';
import { startControlPlane, type ControlPlane } from '../cluster/control-plane.ts';
import { readMemoryByPart, type ByPart } from '../cluster/memory-by-part.ts';
import { isSchedulable, untilNode } from '../cluster/node-objects.ts';
import { smallInstances } from '../cluster/small-instances.ts';
import { measuredNode } from '../cluster/smalt-program.ts';
import type { SwarmPlan } from '../vms-plan.ts';
import type { SwarmResult } from '../vms-result.ts';
import { openAuditMark, writtenRequests } from './written-requests.ts';

const STOP_TIMEOUT_MS = 60_000;
const RUNNING_TIMEOUT_MS = 600_000;
const INSTANCES = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances';
const PREFIX = 'vm';
const SETTLE_MS = 5_000;
const NODES = 'nodes';
const NODES_PART = 'pod runners and handlers';

interface Measuring {
  readonly program: SmaltProgram;
  readonly plan: SwarmPlan;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Makes many instances at once on many nodes with mock hypervisors, all with one control plane. */
export async function measureSwarm({ program, plan, progress, signal }: Measuring): Promise<SwarmResult> {
  await using owner = new AsyncDisposableStack();
  progress(`${plan.nodes} nodes with mock hypervisors`);
  const control = owner.use(await startControlPlane({ program, address: '127.0.0.1', signal }));
  const { daemons } = owner.use(await startTestDaemons(plan.nodes, { signal }));
  const nodes = daemons.map(({ hostname, uri }) => ({ name: hostname, uri }));
  const processes = startProcesses(nodes, plan, control);
  for (const each of processes) owner.use(each);
  await Promise.all(processes.map((each) => each.answer(signal)));
  await Promise.all(nodes.map(({ name }) => untilNode(control.client, name, isSchedulable)));
  progress(`${plan.instances} instances at once`);
  const pids = { ...control.pids, ...Object.fromEntries(processes.map(({ pid, name }) => [name, pid])) };
  const before = await readMemoryByPart(pids, signal);
  const cpuBefore = await readCpuByPart(pids);
  const addedSince = await openAuditMark(control.auditLog);
  const { times, tookMs } = await createAll(control, plan, signal);
  // What is written about a machine after it runs counts too.
  await delay(SETTLE_MS, undefined, { signal });
  const cpu = difference(await readCpuByPart(pids), cpuBefore);
  const requests = writtenRequests(await addedSince());
  const memory = difference(await readMemoryByPart(pids, signal), before);
  return { nodes: plan.nodes, instances: plan.instances, times, tookMs, requests, cpu, memory };
}

interface SwarmNode {
  readonly name: string;
  readonly uri: string;
}

function startProcesses(
  nodes: readonly SwarmNode[],
  { nodesPerProcess }: SwarmPlan,
  { kubeconfig, folder }: ControlPlane,
): readonly PeerProcess[] {
  const count = Math.ceil(nodes.length / nodesPerProcess);
  return Array.from({ length: count }, (_, index) => {
    const own = nodes.slice(index * nodesPerProcess, (index + 1) * nodesPerProcess);
    const program = join(import.meta.dirname, 'swarm-main.ts');
    const words = [kubeconfig, folder, ...own.map(({ name, uri }) => `${name}=${uri}`)];
    return new PeerProcess(`${NODES} ${index}`, [...measuredNode(), program, ...words], STOP_TIMEOUT_MS);
  });
}

interface Created {
  /** From the moment before an instance is created until the watch has it as Running, in milliseconds. */
  readonly times: readonly number[];
  /** From the first create until the last is Running. */
  readonly tookMs: number;
}

async function createAll({ client, watch }: ControlPlane, plan: SwarmPlan, signal: AbortSignal): Promise<Created> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(RUNNING_TIMEOUT_MS)]);
  const left = smallInstances(PREFIX, plan.instances, { hypervisor: 'test', hasCard: false }).entries();
  const times: Promise<number>[] = [];
  const began = performance.now();
  const create = async (index: number, instance: JsonObject): Promise<void> => {
    const sent = performance.now();
    const seen = watch.until(`${PREFIX}-${index + 1}`, ({ status }) => status?.phase === 'Running', inTime);
    times.push(seen.then((at) => at - sent));
    await client.request({ method: 'POST', path: INSTANCES, body: JSON.stringify(instance), signal: inTime });
  };
  const work = async (): Promise<void> => {
    for (const [index, instance] of left) await create(index, instance);
  };
  await Promise.all(Array.from({ length: plan.clients }, work));
  const all = await Promise.all(times);
  return { times: all, tookMs: performance.now() - began };
}

async function readCpuByPart(pids: ByPart): Promise<ByPart> {
  const read = Object.entries(pids).map(async ([part, pid]) => [part, await readProcessCpu(pid)] as const);
  return Object.fromEntries(await Promise.all(read));
}

/** Processes that run nodes are one part: they are several only because one would be too many in one. */
function difference(after: ByPart, before: ByPart): ByPart {
  const sums = new Map<string, number>();
  for (const [part, value] of Object.entries(after)) {
    const name = part.startsWith(NODES) ? NODES_PART : part;
    sums.set(name, (sums.get(name) ?? 0) + value - (before[part] ?? 0));
  }
  return Object.fromEntries(sums);
}
