import { setTimeout as delay } from 'node:timers/promises';

import type { ClusterFlags, OutputFormat } from '../output/command-flags.ts';
import type { CommandProgram } from '../output/command-program.ts';
import { LiveScreen, paintFor } from '../output/live-screen.ts';
import { openCluster } from '../output/open-cluster.ts';
import { listText } from '../output/print-list.ts';
import { SmaltError } from '../smalt-error.ts';
import { FleetUsage } from './follow-fleet-usage.ts';
import { sortMachines, topLines, topText, type TopSort, type TopState } from './top-view.ts';

export interface TopFlags extends ClusterFlags {
  readonly once?: boolean;
  readonly sort: TopSort;
  readonly output: OutputFormat;
}

/** A host that says nothing is shown without numbers after this. */
const PATIENCE_MS = 5_000;
const GATHER_MS = 100;

/** Shows what hosts and machines use: live in a terminal, once elsewhere. */
export async function runTop(program: CommandProgram, flags: TopFlags): Promise<void> {
  await using cluster = await openCluster(program, flags);
  await using usage = new FleetUsage(cluster.client, program.signal);
  const read = (): TopState => chosen(usage.state, flags);
  if (program.output.isTerminal && flags.once !== true && flags.output === 'table') {
    return await showLive(program, usage, read);
  }
  await untilReady(usage, program.signal);
  const state = read();
  if (flags.output === 'table') await program.output.write(topText(state));
  else await program.output.write(await listText({ columns: [], rows: [], empty: '', value: state }, flags.output));
  const silent = state.hosts.filter(({ trouble, rates }) => trouble !== undefined || rates === undefined);
  if (silent.length === 0) return;
  const text = silent.map(({ name, trouble = 'it says nothing' }) => `${name}: ${trouble}`).join('\n');
  throw new SmaltError('failed', `not every host tells what it uses\n${text}`);
}

async function showLive(program: CommandProgram, usage: FleetUsage, read: () => TopState): Promise<void> {
  const paint = paintFor(program);
  await using screen = new LiveScreen(program.output);
  while (!program.signal.aborted) {
    await screen.draw(topLines(read(), paint, program.output.size.rows));
    await usage.next();
    // Hosts tell at moments of their own: what comes within a moment is drawn together.
    await delay(GATHER_MS, undefined, { signal: program.signal }).catch(() => undefined);
  }
}

async function untilReady(usage: FleetUsage, signal: AbortSignal): Promise<void> {
  const late = AbortSignal.timeout(PATIENCE_MS);
  const over = Promise.withResolvers<void>();
  late.addEventListener('abort', () => over.resolve(), { once: true });
  while (!usage.isReady && !late.aborted && !signal.aborted) await Promise.race([usage.next(), over.promise]);
}

function chosen({ hosts, machines }: TopState, { namespace, sort }: TopFlags): TopState {
  const some = namespace === undefined ? machines : machines.filter((each) => each.namespace === namespace);
  return { hosts, machines: sortMachines(some, sort) };
}
