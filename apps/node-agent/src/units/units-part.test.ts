import { startSystemd, type SystemdMachine } from '@smalt/bed-systemd';
import type { ConditionStatement } from '@smalt/controller-runtime';
import { createLogger } from '@smalt/service-runtime';
import { openSystemd, type Systemd } from '@smalt/systemd';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { StatusStatement } from '../status/status-board.ts';
import { createUnitsPart, HYPERVISOR_UNITS } from './units-part.ts';

const SERVICE = `[Service]
ExecStart=/bin/sleep infinity
`;

let machine: SystemdMachine;
let systemd: Systemd | undefined;

beforeAll(async () => {
  machine = await startSystemd({
    units: {
      'libvirtd.service': SERVICE,
      'virtqemud.service': SERVICE,
      'openvswitch-switch.service': '[Service]\nExecStart=/bin/false\n',
    },
  });
  systemd = await openSystemd({ busPath: machine.busPath });
}, 60_000);

afterAll(async () => {
  await systemd?.[Symbol.asyncDispose]();
  await machine[Symbol.asyncDispose]();
});

it('shows each unit that exists, and what becomes of it, as soon as systemd tells', async () => {
  await using world = run(systemd);
  await world.until(({ conditions }) => conditions.length === 3);

  await machine.systemctl(['start', 'libvirtd.service']);
  await world.until(({ reasons }) => reasons['libvirtd.service'] === 'Running');
  await machine.systemctl(['start', 'openvswitch-switch.service']);
  await world.until(({ reasons }) => reasons['openvswitch-switch.service'] === 'Failed');
  await machine.systemctl(['stop', 'libvirtd.service']);
  await machine.systemctl(['start', 'virtqemud.service']);
  const { conditions } = await world.until(({ reasons }) => reasons['virtqemud.service'] === 'Running');

  expect(conditions).toEqual([
    {
      type: 'libvirtd.service',
      status: 'True',
      reason: 'ReplacedByModularDaemon',
      message: 'libvirtd.service: inactive, loaded; virtqemud.service serves instead',
    },
    {
      type: 'openvswitch-switch.service',
      status: 'False',
      reason: 'Failed',
      message: 'openvswitch-switch.service: failed, loaded',
    },
    { type: 'virtqemud.service', status: 'True', reason: 'Running', message: 'virtqemud.service: active, loaded' },
  ]);
});

it('says nothing about units, and why in one line, where there is no systemd', async () => {
  await using world = run(undefined);

  const { conditions } = await world.until(() => true);

  expect(conditions).toEqual([]);
  expect(world.log).toEqual([expect.stringContaining('there is no systemd to ask')]);
});

it('takes back what it said while systemd does not answer, and says it again after that', async () => {
  let isAway = false;
  const real = systemd;
  if (real === undefined) throw new Error('the machine has no bus');
  const shaky: Pick<Systemd, 'unitStates' | 'watchUnits'> = {
    unitStates: (names, signal) => (isAway ? Promise.reject(new Error('away')) : real.unitStates(names, signal)),
    watchUnits: (names, signal) => real.watchUnits(names, signal),
  };
  await using world = run(shaky, 20);
  await world.until(({ conditions }) => conditions.length === 3);

  isAway = true;
  await world.until(({ conditions }) => conditions.length === 0);
  isAway = false;
  await machine.systemctl(['start', 'libvirtd.service']);
  const { conditions } = await world.until(({ reasons }) => reasons['libvirtd.service'] === 'Running');

  expect(conditions).toHaveLength(3);
  expect(world.log).toEqual([expect.stringContaining('systemd does not answer')]);
});

it('looks a bounded number of times however often systemd tells of a change', async () => {
  let looks = 0;
  const restless: Pick<Systemd, 'unitStates' | 'watchUnits'> = {
    unitStates: async (names) => {
      looks += 1;
      return names.map((name) => ({ name, loadState: 'loaded', activeState: 'active', subState: 'running' }));
    },
    async *watchUnits(_, signal) {
      while (!signal.aborted) {
        yield { kind: 'unit-changed' };
        await new Promise(setImmediate);
      }
    },
  };
  const begin = performance.now();

  {
    await using world = run(restless);
    await world.until(() => looks >= 4);
  }

  // The first look is at once, and each further one at least 50 ms after the one before; timers may be 1 ms early.
  expect((performance.now() - begin) / (looks - 1)).toBeGreaterThanOrEqual(49);
});

interface Seen {
  readonly conditions: readonly ConditionStatement[];
  readonly reasons: Readonly<Record<string, string>>;
}

function run(source: Pick<Systemd, 'unitStates' | 'watchUnits'> | undefined, pollMs?: number) {
  const log: string[] = [];
  const logger = createLogger({ name: 'test', destination: { write: (line) => log.push(line) } });
  const stop = new AbortController();
  let seen: Seen | undefined;
  let onSeen: (() => void) | undefined;
  const state = (_part: string, { conditions = [] }: StatusStatement): void => {
    seen = { conditions, reasons: Object.fromEntries(conditions.map(({ type, reason }) => [type, reason])) };
    onSeen?.();
  };
  const part = createUnitsPart({ board: { state }, logger }, { units: HYPERVISOR_UNITS, systemd: source, pollMs });
  const running = part.run(stop.signal);
  return {
    log,
    until: async (isWanted: (seen: Seen) => boolean): Promise<Seen> => {
      for (;;) {
        if (seen !== undefined && isWanted(seen)) return seen;
        const { promise, resolve } = Promise.withResolvers<void>();
        onSeen = resolve;
        await promise;
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}
