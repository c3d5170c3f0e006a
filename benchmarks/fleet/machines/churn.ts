import { setTimeout as delay } from 'node:timers/promises';

import { isNotFound, type KubeClient } from '@smalt/kube';
import { labelSelectorFrom, type KindReference } from '@smalt/kubernetes';
import { virtualMachineInstanceKind, WellKnownName } from '@smalt/vm-api';

import type { RequestCount } from '../fleet-result.ts';
import { machineName } from './fleet-machine.ts';
import { planRestarts, type ChurnOptions } from './plan-churn.ts';

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };
const NAMESPACE = 'default';

export interface ChurnResult {
  readonly restarts: number;
  /** What the benchmark itself has asked the server for, without what reading the metrics takes. */
  readonly ownRequests: readonly RequestCount[];
}

/** Restarts machines at a steady pace, and drains one host meanwhile. */
export async function churn(
  { client, drained, ...options }: ChurnOptions & { readonly client: KubeClient; readonly drained: string },
  signal: AbortSignal,
): Promise<ChurnResult> {
  const began = performance.now();
  const restarting = async (): Promise<number> => {
    const restarts = planRestarts(options);
    for (const { machine, atMs } of restarts) {
      await delay(Math.max(0, began + atMs - performance.now()), undefined, { signal });
      await deleteInstance(client, machineName(machine), signal);
    }
    return restarts.length;
  };
  const draining = async (): Promise<number> => {
    await delay((options.seconds * 1_000) / 4, undefined, { signal });
    return await drain(client, drained, signal);
  };
  const [restarted, moved] = await Promise.all([restarting(), draining()]);
  await delay(Math.max(0, began + options.seconds * 1_000 - performance.now()), undefined, { signal });
  const ownRequests = [
    { verb: 'DELETE', resource: 'virtualmachineinstances', count: restarted + moved },
    { verb: 'LIST', resource: 'virtualmachineinstances', count: 1 },
    { verb: 'PATCH', resource: 'nodes', count: 1 },
  ];
  return { restarts: restarted + moved, ownRequests };
}

/** Lets a host that was drained take machines again. */
export async function undrain(client: KubeClient, node: string, signal: AbortSignal): Promise<void> {
  await client.resource(nodeKind).patch(node, 'merge', { spec: { unschedulable: false } }, { signal });
}

/** Takes a host out of use as `kubectl drain` does: nothing comes, and what is there goes; machines start elsewhere. */
async function drain(client: KubeClient, node: string, signal: AbortSignal): Promise<number> {
  await client.resource(nodeKind).patch(node, 'merge', { spec: { unschedulable: true } }, { signal });
  const labelSelector = labelSelectorFrom({ matchLabels: { [WellKnownName.nodeNameLabel]: node } });
  const { items } = await client.resource(virtualMachineInstanceKind).list({ labelSelector, signal });
  await Promise.all(items.map(({ metadata }) => deleteInstance(client, metadata.name, signal)));
  return items.length;
}

async function deleteInstance(client: KubeClient, name: string, signal: AbortSignal): Promise<void> {
  try {
    await client.resource(virtualMachineInstanceKind).delete(name, { namespace: NAMESPACE, signal });
  } catch (error) {
    // One that is restarted already.
    if (!isNotFound(error)) throw error;
  }
}
