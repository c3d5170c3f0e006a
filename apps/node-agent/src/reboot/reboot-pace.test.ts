import type { Hypervisor } from '@smalt/fleet-api';
import { createLogger, untilAborted } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import type { StatusStatement } from '../status/status-board.ts';
import { createRebootPart, type RebootSettings } from './reboot-part.ts';

const RETRY_MS = 40;
const WATCHED_MS = 400;

it.each<[string, Partial<NonNullable<RebootSettings['systemd']>>, string]>([
  ['tells of no shutdowns', { watchShutdown: endAtOnce }, 'logind tells no more of shutdowns'],
  ['gives out no locks', { delayShutdown: () => Promise.reject(new Error('no locks left')) }, 'no locks left'],
  ['drops its locks at once', { delayShutdown: lostLock }, 'logind has dropped the lock'],
])('asks a logind that %s again only after a pause, and says why', async (_, broken, why) => {
  let attempts = 0;
  const told: string[] = [];
  const state = (_part: string, { conditions = [] }: StatusStatement): void => {
    for (const { reason, message } of conditions) told.push(`${reason}: ${message}`);
  };
  const systemd: NonNullable<RebootSettings['systemd']> = {
    watchShutdown: endWithSignal,
    delayShutdown: heldLock,
    shutdownDelayLimitMs: () => Promise.reject(new Error('not known')),
    ...broken,
  };
  const counted = {
    ...systemd,
    watchShutdown: (signal: AbortSignal): AsyncIterable<boolean> => {
      attempts += 1;
      return systemd.watchShutdown(signal);
    },
  };

  await createRebootPart(contextOf(state), settingsOf(counted)).run(AbortSignal.timeout(WATCHED_MS));

  expect(told.filter((line) => line.startsWith('Unavailable') && line.includes(why))).not.toEqual([]);
  expect(attempts).toBeGreaterThan(1);
  expect(attempts).toBeLessThanOrEqual(WATCHED_MS / RETRY_MS + 1);
});

function contextOf(state: (part: string, statement: StatusStatement) => void): Parameters<typeof createRebootPart>[0] {
  const spec = { evacuateOnReboot: true } as NonNullable<Hypervisor['spec']>;
  const current: Hypervisor = { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata: { name: 'n1' }, spec };
  return {
    nodeName: 'n1',
    hypervisor: { current, onChange: () => () => undefined },
    board: { state },
    logger: createLogger({ name: 'test', destination: { write: () => undefined } }),
    ignore: () => undefined,
  };
}

function settingsOf(systemd: NonNullable<RebootSettings['systemd']>): RebootSettings {
  const evacuation = { evacuate: async () => ({ kind: 'empty' }) as const, withdraw: async () => undefined };
  return { systemd, evacuation, retryMs: RETRY_MS };
}

async function* endAtOnce(): AsyncGenerator<boolean> {}

async function* endWithSignal(signal: AbortSignal): AsyncGenerator<boolean> {
  await untilAborted(signal);
  yield* [];
}

async function heldLock() {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  return { released, [Symbol.asyncDispose]: async () => resolve() };
}

async function lostLock() {
  return { released: Promise.resolve(), [Symbol.asyncDispose]: async () => undefined };
}
