import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { ControlPlane } from '../cluster/control-plane.ts';
import { kubectl, virsh } from '../cluster/host-programs.ts';
import { growthByPart, readMachineProcesses, readMemoryByPart } from '../cluster/memory-by-part.ts';
import { manifestOf, smallInstances } from '../cluster/small-instances.ts';
import { createByVirsh, destroyByVirsh, dumpDomains, type VirshDomains } from './virsh-domains.ts';
import type { VmNode } from '../cluster/vm-node.ts';
import type { CreatePlan } from '../vms-plan.ts';
import type { CreateResult, CreateRound } from '../vms-result.ts';

const PREFIX = 'vm';
const RUNNING_TIMEOUT_MS = 300_000;

interface Measuring {
  readonly control: ControlPlane;
  readonly node: VmNode;
  readonly plan: CreatePlan;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Lets `kubectl apply` and virsh make the same machines in turns, on one libvirtd. */
export async function measureCreate(measuring: Measuring): Promise<CreateResult> {
  const { control, node, plan, progress, signal } = measuring;
  const instances = smallInstances(PREFIX, plan.machines, { hypervisor: 'qemu', hasCard: true });
  const file = join(control.folder, 'machines.json');
  await writeFile(file, manifestOf(instances));
  const names = instances.map((_, index) => `${PREFIX}-${index + 1}`);
  progress(`${plan.machines} machines by kubectl, to warm up`);
  await createByKubectl(measuring, file, names);
  const domains = await dumpDomains(
    node,
    names.map((name) => `default_${name}`),
    signal,
  );
  await deleteAll(measuring, file);
  const pids = { ...control.pids, ...node.pids };
  const before = await readMemoryByPart(pids, signal);

  const rounds: CreateRound[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    progress(`round ${round + 1} of ${plan.rounds}: ${plan.machines} machines by virsh and by kubectl`);
    const serialMs = await virshRound(measuring, domains, 1);
    const oursMs = await createByKubectl(measuring, file, names);
    await deleteAll(measuring, file);
    const parallelMs = await virshRound(measuring, domains, plan.parallel);
    rounds.push({ oursMs, serialMs, parallelMs });
  }
  progress(`memory of ${plan.machines} machines`);
  await createByKubectl(measuring, file, names);
  const [withMachines, processes] = [await readMemoryByPart(pids, signal), await readMachineProcesses(node)];
  await deleteAll(measuring, file);
  const after = await readMemoryByPart(pids, signal);
  const memory = { ...processes, growth: growthByPart(withMachines, [before, after], plan.machines) };
  return { machines: plan.machines, parallel: plan.parallel, rounds, memory };
}

async function createByKubectl(
  { control, signal }: Measuring,
  file: string,
  names: readonly string[],
): Promise<number> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(RUNNING_TIMEOUT_MS)]);
  const running = names.map((name) => control.watch.until(name, ({ status }) => status?.phase === 'Running', inTime));
  const began = performance.now();
  const [seen] = await Promise.all([Promise.all(running), kubectl(control.kubeconfig, ['apply', '-f', file], inTime)]);
  return Math.max(...seen) - began;
}

/** Waits until nothing is left of them, so that the next to have its turn finds an idle node. */
async function deleteAll({ control, node, signal }: Measuring, file: string): Promise<void> {
  await kubectl(control.kubeconfig, ['delete', '-f', file, '--wait=true', '--timeout=120s'], signal);
  const left = (await virsh(node.host, ['list --all --name'], signal)).trim();
  if (left !== '') throw new Error(`domains are left behind: ${left}`);
}

async function virshRound({ node, signal }: Measuring, domains: VirshDomains, processes: number): Promise<number> {
  const took = await createByVirsh(node, domains, processes, signal);
  await destroyByVirsh(node, domains, signal);
  return took;
}
