import { systemClock, type Clock, type AgentPart, WakeUp } from '@smalt/controller-runtime';
import { untilAborted } from '@smalt/service-runtime';
import type { Systemd } from '@smalt/systemd';

import type { AgentContext } from '../agent-context.ts';
import { unitConditions, unitsToAsk } from './unit-conditions.ts';

const NAME = 'units';
const POLL_MS = 300_000;
const RETRY_MS = 5_000;
/** However fast units change: between two looks there is a breath. */
const SHORTEST_PAUSE_MS = 50;

/** The units that matter on a hypervisor, of which a node has some. */
export const HYPERVISOR_UNITS: readonly string[] = [
  'libvirtd.service',
  'openvswitch-switch.service',
  'virtqemud.service',
  'virtchd.service',
];

export interface UnitsSettings {
  /** Each becomes a condition of its own name where it exists. */
  readonly units: readonly string[];
  /** Nothing where there is no D-Bus. */
  readonly systemd: Pick<Systemd, 'unitStates' | 'watchUnits'> | undefined;
  /** How often to look although nothing was told. */
  readonly pollMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

type UnitsContext = Pick<AgentContext, 'board' | 'logger'>;

/** Says as conditions how the units of the host are, as soon as systemd tells that one of them changed. */
export function createUnitsPart(context: UnitsContext, settings: UnitsSettings): AgentPart {
  const { systemd } = settings;
  return {
    name: NAME,
    run: async (signal) => {
      if (systemd !== undefined) return await watchUnits(context, { ...settings, systemd }, signal);
      context.logger.info({ step: NAME }, 'there is no systemd to ask: no conditions for units');
      context.board.state(NAME, {});
      return await untilAborted(signal);
    },
  };
}

type Watching = UnitsSettings & { readonly systemd: NonNullable<UnitsSettings['systemd']> };

async function watchUnits(context: UnitsContext, settings: Watching, signal: AbortSignal): Promise<void> {
  const { systemd, units, clock = systemClock, pollMs = POLL_MS } = settings;
  const names = unitsToAsk(units);
  const changed = new WakeUp(clock);
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  const watching = ringOnChange(systemd.watchUnits(names, until), changed).finally(() => ended.abort());
  // Looked at when the loop has ended, which may be a moment after it failed.
  watching.catch(() => undefined);
  let isAway = false;
  while (!until.aborted) {
    try {
      context.board.state(NAME, { conditions: unitConditions(units, await systemd.unitStates(names, until)) });
      isAway = false;
    } catch (error) {
      if (until.aborted) break;
      // What was known may be wrong by now, and nobody knows better.
      context.board.state(NAME, {});
      if (!isAway) context.logger.warn({ step: NAME, error }, 'systemd does not answer: no conditions for units');
      isAway = true;
    }
    await clock.wait(SHORTEST_PAUSE_MS, until).catch(() => undefined);
    await changed.wait(isAway ? RETRY_MS : pollMs, until);
  }
  if (!signal.aborted) await watching;
}

async function ringOnChange(changes: AsyncIterable<unknown>, changed: WakeUp): Promise<void> {
  for await (const _ of changes) changed.ring();
}
