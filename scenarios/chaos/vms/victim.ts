import { setTimeout as delay } from 'node:timers/promises';

import type { ControlProcess } from '../../virtual-machines/control-process.ts';
import type { VmHost } from '../../virtual-machines/vm-host.ts';
import type { VmWorld } from '../../virtual-machines/vm-world.ts';
import type { Dice } from '../../simulation/dice.ts';

const LONGEST_AWAY_MS = 1_500;

/** Something that can be killed; what it was is told. */
export interface Victim {
  readonly name: string;
  /** Kills it, and starts it again where nobody else does that. */
  kill(dice: Dice): Promise<string>;
  /** Starts it again when it has ended by itself, as an init system does, and gives whether it had. */
  revive(): Promise<boolean>;
}

/** All that can be killed in a world. Those whose death ends a guest come up less often. */
export function victimsOf(world: VmWorld): readonly Victim[] {
  const often = [...world.hosts.flatMap(servicesOf), ...world.control.processes.map(controlVictim)];
  return [...often, ...often, ...world.hosts.flatMap(guestsOf)];
}

function servicesOf(host: VmHost): readonly Victim[] {
  return [
    lastingVictim(`the handler of ${host.name}`, {
      isRunning: () => host.handler?.isRunning === true,
      kill: async () => host.handler?.kill(),
      start: () => host.startHandler(),
    }),
    lastingVictim(`the pod runner of ${host.name}`, {
      isRunning: () => host.runner?.isRunning === true,
      kill: async () => host.runner?.kill(),
      start: () => host.startRunner(),
    }),
    lastingVictim(`libvirtd of ${host.name}`, {
      isRunning: () => host.machine.daemon.pid !== undefined,
      kill: async () => {
        host.machine.daemon.kill('SIGKILL');
        await host.machine.daemon.exited();
      },
      start: () => host.machine.daemon.restart(),
    }),
  ];
}

function controlVictim(part: ControlProcess): Victim {
  return lastingVictim(`the ${part.name}`, {
    isRunning: () => part.isRunning,
    kill: () => part.kill(),
    start: async () => part.start(),
  });
}

interface Lasting {
  readonly isRunning: () => boolean;
  readonly kill: () => Promise<void>;
  readonly start: () => Promise<void>;
}

/** It comes back after a while, in which other things happen. */
function lastingVictim(name: string, { isRunning, kill, start }: Lasting): Victim {
  let back: Promise<void> = Promise.resolve();
  return {
    name,
    kill: async (dice) => {
      // Thrown before anything is waited for: the same seed plays the same story.
      const awayMs = dice.between(0, LONGEST_AWAY_MS);
      await back;
      if (isRunning()) await kill();
      back = delay(awayMs).then(start);
      return `${name}, for ${awayMs} ms`;
    },
    revive: async () => {
      await back;
      if (isRunning()) return false;
      await start();
      return true;
    },
  };
}

function guestsOf(host: VmHost): readonly Victim[] {
  const victim = (what: string, words: string): Victim => ({
    name: `a ${what} of ${host.name}`,
    kill: async (dice) => {
      const number = dice.throw();
      const found = await processesOf(host, words);
      const pid = found[Math.floor(number * found.length)];
      if (pid === undefined) return `nobody: ${host.name} has no ${what}`;
      // It may have ended by itself meanwhile.
      await host.machine.exec(['kill', '-9', pid]).catch(() => undefined);
      return `the ${what} ${pid} of ${host.name}`;
    },
    // Others start them again.
    revive: async () => false,
  });
  return [victim('guest', 'qemu-system'), victim('launcher', 'virt-launcher')];
}

async function processesOf(host: VmHost, words: string): Promise<readonly string[]> {
  const lines = (await host.machine.exec(['ps', '-eo', 'pid=,args='])).split('\n');
  return lines.filter((line) => line.includes(words)).map((line) => line.trim().split(' ')[0] ?? '');
}
