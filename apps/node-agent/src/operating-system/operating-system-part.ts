import { type Clock, systemClock, type AgentPart, WakeUp } from '@smalt/controller-runtime';
import type { OperatingSystemStatus } from '@smalt/fleet-api';
import type { Systemd } from '@smalt/systemd';

import type { AgentContext } from '../agent-context.ts';
import { readOperatingSystem } from './read-operating-system.ts';

const NAME = 'operating-system';
const REFRESH_MS = 600_000;

export interface OperatingSystemSettings {
  /** Where the file system of the host is seen: `/`, or what a container has it mounted at. */
  readonly root: string;
  /** Nothing where there is no bus: the firmware is asked instead of hostnamed. */
  readonly systemd: Pick<Systemd, 'describeHost'> | undefined;
  /** How often to look again; an update in place changes the answers without a word. */
  readonly refreshMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Says which operating system, kernel, firmware and hardware the host has, and keeps that up to date. */
export function createOperatingSystemPart(
  context: Pick<AgentContext, 'board' | 'ignore' | 'logger'>,
  settings: OperatingSystemSettings,
): AgentPart {
  const { root, systemd, refreshMs = REFRESH_MS, clock = systemClock } = settings;
  return {
    name: NAME,
    run: async (signal) => {
      const never = new WakeUp(clock);
      let last: OperatingSystemStatus | undefined;
      while (!signal.aborted) {
        const found = await readOperatingSystem({ root, systemd, ignore: context.ignore }, signal);
        if (signal.aborted) return;
        context.board.state(NAME, { fields: { operatingSystem: found } });
        if (last && describe(last) !== describe(found)) {
          context.logger.info(
            { step: NAME, from: describe(last), to: describe(found) },
            'the operating system changed',
          );
        }
        last = found;
        await never.wait(refreshMs, signal);
      }
    },
  };
}

function describe({ prettyVersion, version, kernelRelease }: OperatingSystemStatus): string {
  return `${prettyVersion ?? 'unknown'} (${version ?? 'no version'}, kernel ${kernelRelease ?? 'unknown'})`;
}
