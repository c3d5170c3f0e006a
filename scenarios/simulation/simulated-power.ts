import type { PowerPort } from '@smalt/ha-service';

import { hostPath, servicePath } from './network.ts';
import type { SimulatedHost } from './simulated-host.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

export interface PowerPortOptions {
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly replica: string;
  /** Told at the moment at which the order is given, before anything else. */
  readonly onPowerOff: (host: SimulatedHost, method: string) => void;
}

type Power = 'on' | 'off' | 'unknown';

/** The management controllers as one process reaches them. */
export function createPowerPort({ world, process, replica, onPowerOff }: PowerPortOptions): PowerPort {
  const ask = <T>(host: SimulatedHost, method: string, effect: () => T, signal: AbortSignal): Promise<T> =>
    process.call(
      {
        what: `${method} of ${host.name}`,
        path: world.network.isWhole(hostPath(host.name, 'bmc'))
          ? servicePath(replica, 'bmcs')
          : hostPath(host.name, 'bmc'),
        effect,
        delayMs: method === 'redfish' && host.bmc === 'slow' ? [500, 6_000] : [20, 900],
        deadlineMs: 10_000,
        lossProbability: isMute(host, method) ? 1 : 0.01,
        unanswered: (message) => new Error(message),
      },
      signal,
    );
  return {
    methodsOf: (name) => (world.host(name).hasSecondBmc ? ['redfish', 'pdu'] : ['redfish']),
    powerOff: (name, method, signal) => {
      const host = world.host(name);
      onPowerOff(host, method);
      return ask(host, method, () => takeOrder(world, host, method), signal);
    },
    readPower: async (name, method, signal) => {
      const host = world.host(name);
      const power = await ask(host, method, () => showPower(world, host, method), signal);
      return { power, session: `session-${world.dice.between(0, 1_000_000_000)}`, message: 'read' };
    },
    cleanUp: (name, signal) => {
      const cleanUp = () => {
        if (world.dice.chance(0.05)) throw new Error('the network database cannot be reached');
      };
      return ask(world.host(name), 'clean-up', cleanUp, signal);
    },
  };
}

/** A controller without power of its own says nothing when the mains are gone. */
function isMute(host: SimulatedHost, method: string): boolean {
  return method === 'redfish' && (host.bmc === 'hangs' || (host.sharesPower && !host.hasMains));
}

function takeOrder(world: World, host: SimulatedHost, method: string): void {
  if (method !== 'redfish' && host.hasWrongOutlet) return;
  if (method === 'redfish') {
    if (isMute(host, method) || host.bmc === 'ignores' || host.bmc === 'lies' || host.bmc === 'flips') return;
    if (host.bmc === 'moody' && world.dice.chance(0.5)) throw new Error('the BMC answers 500');
    if (!host.isPowered && world.dice.chance(0.5)) throw new Error('the BMC answers 409: it is off already');
  }
  world.story.tell(`${method} of ${host.name} takes the order to power off`);
  world.scheduler.after(world.dice.between(0, 3_000), () => world.powerOff(host, `by ${method}`));
}

function showPower(world: World, host: SimulatedHost, method: string): Power {
  const truth = host.isPowered ? 'on' : 'off';
  if (method !== 'redfish') return host.hasWrongOutlet ? 'off' : truth;
  switch (host.bmc) {
    case 'honest':
    case 'slow':
    case 'ignores':
      return truth;
    case 'flips':
      // By turns: one that says off by chance as often as it is asked is one that lies.
      host.bmcReadings += 1;
      return host.isPowered && host.bmcReadings % 2 === 0 ? 'on' : 'off';
    case 'moody':
      if (world.dice.chance(0.4)) throw new Error('the BMC answers 500');
      return world.dice.chance(0.2) ? 'unknown' : truth;
    case 'lies':
      return 'off';
    case 'hangs':
      return 'unknown';
  }
}
