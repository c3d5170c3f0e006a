import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { SmaltProgram } from '@smalt/bed-kubernetes';
import { startNetwork, type BedNetwork } from '@smalt/bed-libvirt';
import { buildDemoDisk, ensureGuestImage } from '@smalt/guest-image';
import {
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  type VirtualMachineInstanceMigration,
} from '@smalt/vm-api';

import { BenchmarkError } from '../../src/benchmark-error.ts';
import { ObjectWatch } from '../../src/object-watch.ts';
import { startControlPlane, type ControlPlane } from '../cluster/control-plane.ts';
import { kubectl } from '../cluster/host-programs.ts';
import { smallInstance } from '../cluster/small-instances.ts';
import { movingInstance } from './moving-instance.ts';
import { moveTwin, startTwin, TWIN } from './twin-domain.ts';
import { startVmNode, type VmNode } from '../cluster/vm-node.ts';
import type { MigrationPlan } from '../vms-plan.ts';
import type { MigrationResult, MigrationRound } from '../vms-result.ts';

const INSTANCES = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances';
const MIGRATIONS = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstancemigrations';
const NAME = 'mover';
const BOOT_TIMEOUT_MS = 120_000;
const MOVE_TIMEOUT_MS = 120_000;

interface Measuring {
  readonly program: SmaltProgram;
  readonly plan: MigrationPlan;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

interface MigrationWorld {
  readonly network: BedNetwork;
  readonly control: ControlPlane;
  readonly nodes: readonly [VmNode, VmNode];
  readonly migrations: ObjectWatch<VirtualMachineInstanceMigration>;
}

/** Moves a guest by our migrations, and its twin by virsh, to and fro between the same two hosts. */
export async function measureMigration({ program, plan, progress, signal }: Measuring): Promise<MigrationResult> {
  await using owner = new AsyncDisposableStack();
  progress('two hosts');
  const world = await openWorld(program, owner, signal);
  const { control } = world;
  progress(`a guest with ${plan.memoryMiB} MiB and its twin`);
  await startNeighbours(world, signal);
  await bootGuest(world, plan, signal);
  await moveOurs(world, 0, signal);
  let [here, there] = await nodesFor(world, signal);
  await startTwin(control.folder, [here, there], signal);
  const rounds: MigrationRound[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    progress(`round ${round + 1} of ${plan.rounds}: each goes to the other host`);
    const oursMs = await moveOurs(world, round + 1, signal);
    rounds.push({ oursMs, virshMs: await moveTwin(here, there, signal) });
    [here, there] = [there, here];
  }
  // A node that goes with guests takes its time for them.
  await kubectl(control.kubeconfig, ['delete', 'vmi', '--all', '--wait=true', '--timeout=60s'], signal);
  return { memoryMiB: plan.memoryMiB, rounds };
}

async function openWorld(
  program: SmaltProgram,
  owner: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<MigrationWorld> {
  const network = owner.use(await startNetwork());
  const control = owner.use(await startControlPlane({ program, address: network.address, signal }));
  const first = owner.use(await startVmNode({ name: 'hv1', network, control, signal }));
  const second = owner.use(await startVmNode({ name: 'hv2', network, control, signal }));
  const migrations = owner.use(new ObjectWatch(control.client, virtualMachineInstanceMigrationKind));
  return { network, control, nodes: [first, second], migrations };
}

/** Whoever moves by virsh finds the network of the host up. So that ours does too, another machine is there. */
async function startNeighbours({ control, nodes }: MigrationWorld, signal: AbortSignal): Promise<void> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(BOOT_TIMEOUT_MS)]);
  for (const { name: nodeName } of nodes) {
    const name = `neighbour-${nodeName}`;
    const body = JSON.stringify(smallInstance(name, { hypervisor: 'qemu', hasCard: true, nodeName }));
    await control.client.request({ method: 'POST', path: INSTANCES, body, signal: inTime });
    await control.watch.until(name, ({ status }) => status?.phase === 'Running', inTime);
  }
}

/** Starts it from a disk that both hosts see, and waits until its agent answers, so that it has its memory in use. */
async function bootGuest({ control }: MigrationWorld, plan: MigrationPlan, signal: AbortSignal): Promise<void> {
  const folder = await makeSharedFolder(control);
  const path = join(folder, `${NAME}.img`);
  const image = await ensureGuestImage({ signal });
  await buildDemoDisk({ path, image, words: ['login'], signal });
  await copyFile(path, join(folder, `${TWIN}.img`));
  const body = JSON.stringify(movingInstance(NAME, { path, memoryMiB: plan.memoryMiB }));
  await control.client.request({ method: 'POST', path: INSTANCES, body, signal });
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(BOOT_TIMEOUT_MS)]);
  await control.watch.until(
    NAME,
    ({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'AgentConnected' && is === 'True') === true,
    inTime,
  );
}

/** The node that the guest is on, and the other one. */
async function nodesFor({ control, nodes }: MigrationWorld, signal: AbortSignal): Promise<readonly [VmNode, VmNode]> {
  const instances = control.client.resource(virtualMachineInstanceKind);
  const { status } = await instances.get(NAME, { namespace: 'default', signal });
  const [first, second] = nodes;
  return status?.nodeName === first.name ? [first, second] : [second, first];
}

/** Both hosts see the files of this machine; guests, which are not root's, have to get through to it. */
async function makeSharedFolder({ folder }: ControlPlane): Promise<string> {
  const path = join(folder, 'disks');
  await mkdir(path, { mode: 0o711 });
  return path;
}

/** From the moment before the migration is created until the watch has it as Succeeded, in milliseconds. */
async function moveOurs({ control, migrations }: MigrationWorld, turn: number, signal: AbortSignal): Promise<number> {
  const name = `move-${turn}`;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(MOVE_TIMEOUT_MS)]);
  let last: VirtualMachineInstanceMigration['status'];
  const over = migrations.until(
    name,
    ({ status }) => {
      last = status;
      return status?.phase === 'Succeeded' || status?.phase === 'Failed';
    },
    inTime,
  );
  const body = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name, namespace: 'default' },
    spec: { vmiName: NAME },
  };
  const began = performance.now();
  await control.client.request({ method: 'POST', path: MIGRATIONS, body: JSON.stringify(body), signal: inTime });
  const at = await over;
  if (last?.phase !== 'Succeeded') {
    const reason = last?.migrationState?.failureReason ?? JSON.stringify(last);
    throw new BenchmarkError('peer-failed', `the migration ${name} has failed: ${reason}`);
  }
  return at - began;
}
