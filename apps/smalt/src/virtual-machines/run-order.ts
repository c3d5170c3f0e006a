import { isNotFound, type KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import {
  virtualMachineInstanceKind,
  virtualMachineKind,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

import type { ClusterFlags } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import { LiveScreen } from '../output/live-screen.ts';
import { openCluster } from '../output/open-cluster.ts';
import { watchObject } from '../output/watch-objects.ts';
import { withDeadline } from '../output/with-deadline.ts';
import { printableText } from '../printable-text.ts';
import { SmaltError } from '../smalt-error.ts';
import { latestOf } from '../telemetry/latest-of.ts';
import { decideOrder, type BeforeOrder, type MachineOrder, type OrderProgress } from './decide-order.ts';
import { explainMachineError, type MachineName } from './explain-machine.ts';

export interface OrderFlags extends ClusterFlags {
  readonly wait?: boolean;
  readonly timeout: number;
  /** `start --paused`. */
  readonly paused?: boolean;
  /** `stop` and `restart`: how many seconds the guest has to shut down. */
  readonly gracePeriod?: number;
  /** `restart --force`. */
  readonly force?: boolean;
}

const ACCEPTED: Readonly<Record<MachineOrder, string>> = {
  start: 'is being started',
  stop: 'is being stopped',
  restart: 'is being restarted',
  pause: 'stands still',
  unpause: 'goes on',
};

/** Gives an order to a machine, and waits until it is carried out where that was asked for. */
export async function runOrder(
  program: CommandProgram,
  { order, name }: { readonly order: MachineOrder; readonly name: string },
  flags: OrderFlags,
): Promise<void> {
  await using cluster = await openCluster(program, flags);
  const { client, namespace } = cluster;
  const key = { namespace, name };
  const before = flags.wait === true ? await readBefore(client, key, program.signal) : undefined;
  await giveOrder(client, { order, key, flags }, program.signal);
  if (before === undefined) return await program.output.write(`${name} ${ACCEPTED[order]}\n`);
  const waited = { order, key, before, timeoutMs: flags.timeout };
  const text = await untilDone(program, client, waited);
  await program.output.write(`${name} ${text}\n`);
}

interface GivenOrder {
  readonly order: MachineOrder;
  readonly key: MachineName;
  readonly flags: OrderFlags;
}

async function giveOrder(client: KubeClient, { order, key, flags }: GivenOrder, signal: AbortSignal): Promise<void> {
  const isOfInstance = order === 'pause' || order === 'unpause';
  const resource = isOfInstance ? 'virtualmachineinstances' : 'virtualmachines';
  const place = [key.namespace, resource, key.name, order].map(encodeURIComponent).join('/');
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/${place}`;
  try {
    // What was done is told by the code alone.
    await client.text({ method: 'PUT', path, body: JSON.stringify(bodyOf(order, flags)), signal });
  } catch (error) {
    throw explainMachineError(error, isOfInstance ? 'running machine' : 'virtual machine', key);
  }
}

function bodyOf(order: MachineOrder, { paused, gracePeriod, force }: OrderFlags): object {
  if (order === 'start' && paused === true) return { paused };
  if (order === 'stop' && gracePeriod !== undefined) return { gracePeriod };
  return order === 'restart' && force === true ? { gracePeriodSeconds: 0 } : {};
}

interface AwaitedOrder {
  readonly order: MachineOrder;
  readonly key: MachineName;
  readonly before: BeforeOrder;
  readonly timeoutMs: number;
}

async function untilDone(program: CommandProgram, client: KubeClient, awaited: AwaitedOrder): Promise<string> {
  const { order, key, timeoutMs } = awaited;
  let last: OrderProgress = { kind: 'waiting', text: 'nothing is known of it yet' };
  const what = (): string =>
    `${key.name} in ${key.namespace} is not that far: it ${last.text}; --timeout gives it longer`;
  await using screen = new LiveScreen(program.output);
  return await withDeadline({ timeoutMs, signal: program.signal, what }, async (signal) => {
    for await (const progress of followOrder(client, awaited, signal)) {
      last = progress;
      await screen.draw([`${key.name} ${printableText(progress.text)}`]);
      if (progress.kind === 'done') return progress.text;
      if (progress.kind === 'failed') {
        const next = `smalt logs -n ${key.namespace} ${key.name} shows its log`;
        throw new SmaltError('failed', `${key.name} in ${key.namespace} ${progress.text}\n${next}`);
      }
    }
    throw new SmaltError('failed', `${order} of ${key.name}: the watch has ended before it was done`);
  });
}

async function* followOrder(
  client: KubeClient,
  { order, key, before }: AwaitedOrder,
  signal: AbortSignal,
): AsyncGenerator<OrderProgress, void> {
  const enough = new AbortController();
  const until = AbortSignal.any([signal, enough.signal]);
  type Seen = { machine: VirtualMachine | undefined; instance: VirtualMachineInstance | undefined };
  try {
    const flows = {
      machine: watchObject(client.resource(virtualMachineKind), key, until),
      instance: watchObject(client.resource(virtualMachineInstanceKind), key, until),
    };
    for await (const seen of latestOf<Seen>(flows)) {
      // Both have to be known before anything is concluded from one that is not there.
      if (!('machine' in seen) || !('instance' in seen)) continue;
      yield decideOrder(order, { machine: seen.machine, instance: seen.instance, before });
    }
  } finally {
    enough.abort();
  }
}

async function readBefore(client: KubeClient, key: MachineName, signal: AbortSignal): Promise<BeforeOrder> {
  const [machine, instance] = await Promise.all([
    readIfThere(client, virtualMachineKind, { ...key, signal }),
    readIfThere(client, virtualMachineInstanceKind, { ...key, signal }),
  ]);
  return { instance: instance?.metadata.uid, failed: machine?.status?.startFailure?.lastFailedVMIUID };
}

async function readIfThere<T extends KubernetesObject>(
  client: KubeClient,
  kind: KindReference<T>,
  { namespace, name, signal }: MachineName & { readonly signal: AbortSignal },
): Promise<T | undefined> {
  try {
    return await client.resource(kind).get(name, { namespace, signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
