import { setTimeout as delay } from 'node:timers/promises';

import type { KubeClient } from '@smalt/kube';

import { fleetMachine, machineName } from './fleet-machine.ts';

const MACHINES = '/apis/kubevirt.io/v1/namespaces/default/virtualmachines';
/** How many may be on their way to Running at a time: more only wait for each other, and a server for all of them. */
const MOST_AHEAD = 400;
const LOOK_AGAIN_MS = 50;

export interface CreateOptions {
  readonly client: KubeClient;
  readonly running: { readonly count: number };
  /** The first number, and the one after the last. */
  readonly from: number;
  readonly to: number;
  readonly clients: number;
}

/** Creates machines by several clients at a time; resolves when the last was taken. */
export async function createMachines(options: CreateOptions, signal: AbortSignal): Promise<void> {
  const { client, running, from, to, clients } = options;
  const numbers = Array.from({ length: to - from }, (_, index) => from + index).values();
  const work = async (): Promise<void> => {
    for (const number of numbers) {
      while (number - running.count > MOST_AHEAD) await delay(LOOK_AGAIN_MS, undefined, { signal });
      const body = JSON.stringify(fleetMachine(machineName(number)));
      await client.request({ method: 'POST', path: MACHINES, body, signal });
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
}
