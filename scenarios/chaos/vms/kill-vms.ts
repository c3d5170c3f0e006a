import { setTimeout as delay } from 'node:timers/promises';

import { Dice } from '../../simulation/dice.ts';
import { startVmWorld, type VmWorld } from '../../virtual-machines/vm-world.ts';
import { doDeed } from './do-deed.ts';
import { findDifferences } from './find-differences.ts';
import { MachineLedger } from './machine-ledger.ts';
import { TwiceWatch } from './twice-watch.ts';
import { victimsOf, type Victim } from './victim.ts';

const LONGEST_PAUSE_MS = 1_500;
const MOST_DEEDS = 3;
/** A machine whose guest was killed before it ever ran is started again after up to a minute. */
const SETTLE_MS = 240_000;
const LOOK_MS = 500;

export interface KillVmsOptions {
  readonly kills: number;
  readonly seed: number;
  readonly machines: number;
  readonly progress: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface KillVmsReport {
  readonly deeds: number;
  readonly refused: number;
  /** How often all hosts were asked what runs there. */
  readonly looks: number;
  readonly settledMs: number;
  /** Every promise that was not kept; empty when all is well. */
  readonly complaints: readonly string[];
}

/**
 * Kills parts of the VM layer at any moment while machines are made, moved, restarted and deleted; at the end every machine
 * has to be as it was wanted, exactly once, with nothing left behind.
 */
export async function killVms(options: KillVmsOptions): Promise<KillVmsReport> {
  const { signal, machines } = options;
  await using world = await startVmWorld({ hosts: 2, isApart: true, signal });
  const ledger = new MachineLedger(Array.from({ length: machines }, (_, index) => `m${index}`));
  const watch = new TwiceWatch(world.hosts);
  await using _ = watch;
  const stage: Stage = { world, ledger, victims: victimsOf(world), options };
  const counts = await playStory(stage);
  const began = performance.now();
  const unsettled = await settle(stage);
  const settledMs = performance.now() - began;
  const left = await clearAway(stage);
  return { ...counts, looks: watch.looks, settledMs, complaints: [...watch.complaints, ...unsettled, ...left] };
}

interface Stage {
  readonly world: VmWorld;
  readonly ledger: MachineLedger;
  readonly victims: readonly Victim[];
  readonly options: KillVmsOptions;
}

async function playStory({
  world,
  ledger,
  victims,
  options,
}: Stage): Promise<Pick<KillVmsReport, 'deeds' | 'refused'>> {
  const { kills, seed, progress, signal } = options;
  const dice = new Dice(seed);
  let [deeds, refused] = [0, 0];
  for (let round = 1; round <= kills; round++) {
    const done: string[] = [];
    for (let count = dice.between(0, MOST_DEEDS); count > 0; count--) {
      const deed = ledger.choose(dice);
      const isTaken = await doDeed(world, deed);
      if (isTaken) ledger.note(deed);
      else refused++;
      deeds++;
      done.push(`${deed.kind} ${deed.machine}${isTaken ? '' : ' (refused)'}`);
    }
    await delay(dice.between(0, LONGEST_PAUSE_MS), undefined, { signal });
    const killed = await dice.pick(victims).kill(dice);
    progress(`${round}: ${done.join(', ') || 'nothing is asked for'}; killed ${killed}`);
  }
  return { deeds, refused };
}

/** Waits until all is as wanted, and gives what is not in the end. */
async function settle({ world, ledger, victims, options }: Stage): Promise<readonly string[]> {
  const { progress, signal } = options;
  const deadline = performance.now() + SETTLE_MS;
  progress(`wanted: ${ledger.names.map((name) => `${name} ${ledger.wishFor(name)}`).join(', ')}`);
  for (;;) {
    for (const victim of victims) if (await victim.revive()) progress(`${victim.name} had ended by itself`);
    // A part that is on its way back cannot answer yet.
    const differences = await findDifferences(world, ledger).catch((error: unknown) => [String(error)]);
    if (differences.length === 0) return [];
    if (performance.now() > deadline) {
      progress(await world.kubectl(['get', 'vms,vmis,vmims,pods,nodes', '-o', 'json']));
      return differences;
    }
    await delay(LOOK_MS, undefined, { signal });
  }
}

/** Deletes all machines: nothing may be left of them. */
async function clearAway(stage: Stage): Promise<readonly string[]> {
  const { world, ledger } = stage;
  for (const machine of [...ledger.wanted('running'), ...ledger.wanted('stopped')]) {
    const deed = { kind: 'delete', machine } as const;
    if (await doDeed(world, deed)) ledger.note(deed);
  }
  return (await settle(stage)).map((text) => `after all were deleted: ${text}`);
}
