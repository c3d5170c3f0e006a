import { hypervisorKind } from '@smalt/fleet-api';
import { isNotFound, type KubeClient } from '@smalt/kube';

import type { ClusterFlags } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import { LiveScreen, paintFor } from '../output/live-screen.ts';
import { openCluster } from '../output/open-cluster.ts';
import { withDeadline } from '../output/with-deadline.ts';
import { printableText } from '../printable-text.ts';
import { SmaltError } from '../smalt-error.ts';
import { decideDrain, type DrainGoal, type DrainOutcome } from './decide-drain.ts';
import { drainLines } from './drain-view.ts';
import { followDrain } from './follow-drain.ts';
import { orderEviction, takeBackEvictions } from './order-eviction.ts';
import { setMaintenance } from './set-maintenance.ts';

export interface FleetFlags extends ClusterFlags {
  readonly reason?: string;
  readonly wait?: boolean;
  readonly undo?: boolean;
  readonly timeout: number;
}

const USUAL_REASON = 'ordered by smalt';

/** Moves all machines off a host, by an Eviction of its name; or takes that back. */
export async function runEvict(program: CommandProgram, host: string, flags: FleetFlags): Promise<void> {
  await using cluster = await openCluster(program, flags);
  const { client } = cluster;
  const { signal } = program;
  await requireHost(client, host, signal);
  if (flags.undo === true) {
    await takeBackEvictions(client, host, signal);
    return await program.output.write(`${host} keeps the machines that it still has\n`);
  }
  await orderEviction(client, { hypervisor: host, reason: flags.reason ?? USUAL_REASON }, signal);
  await finish(program, client, { host, goal: 'evicted', said: 'is being emptied', flags });
}

/** Takes a host out of use until that is taken back: its machines leave, and none comes. */
export async function runMaintenance(
  program: CommandProgram,
  { host, isOn }: { readonly host: string; readonly isOn: boolean },
  flags: FleetFlags,
): Promise<void> {
  await using cluster = await openCluster(program, flags);
  const { client } = cluster;
  await requireHost(client, host, program.signal);
  const wanted = { host, isOn, reason: flags.reason ?? USUAL_REASON };
  await setMaintenance(client.resource(hypervisorKind), wanted, program.signal);
  const goal: DrainGoal = isOn ? 'in-maintenance' : 'in-use';
  await finish(program, client, { host, goal, said: isOn ? 'is in maintenance' : 'goes back to use', flags });
}

async function requireHost(client: KubeClient, host: string, signal: AbortSignal): Promise<void> {
  try {
    await client.resource(hypervisorKind).get(host, { signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const next = 'kubectl get hypervisors shows those that there are';
    throw new SmaltError('not-found', `there is no host ${host}: ${next}`, { cause: error });
  }
}

interface Drain {
  readonly host: string;
  readonly goal: DrainGoal;
  readonly said: string;
  readonly flags: FleetFlags;
}

async function finish(program: CommandProgram, client: KubeClient, drain: Drain): Promise<void> {
  const { host, said, flags } = drain;
  if (flags.wait !== true) {
    const next = 'give --wait to follow every machine, or look with kubectl get hv,evi';
    return await program.output.write(`${host} ${said}; ${next}\n`);
  }
  await program.output.write(`${host} ${await untilThere(program, client, drain)}\n`);
}

async function untilThere(program: CommandProgram, client: KubeClient, drain: Drain): Promise<string> {
  const { host, goal, flags } = drain;
  let last: DrainOutcome = { kind: 'waiting', text: 'nothing is known of it yet' };
  const what = (): string => `${host} is not that far: ${last.text}; --timeout gives it longer`;
  const paint = paintFor(program);
  await using screen = new LiveScreen(program.output);
  return await withDeadline({ timeoutMs: flags.timeout, signal: program.signal, what }, async (signal) => {
    for await (const state of followDrain(client, host, signal)) {
      const before: string = last.text;
      last = decideDrain(goal, state);
      await screen.draw(drainLines(state, paint));
      if (!program.output.isTerminal && last.text !== before && last.kind === 'waiting') {
        await program.output.write(`${host}: ${printableText(last.text)}\n`);
      }
      if (last.kind === 'done') return last.text;
      if (last.kind === 'failed') {
        const order = state.eviction?.metadata.name ?? host;
        throw new SmaltError('failed', `${host} ${last.text}\nkubectl describe evi ${order} has each machine`);
      }
    }
    throw new SmaltError('failed', `${host}: the watch has ended before it was done`);
  });
}
