import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Hypervisor } from '@smalt/fleet-api';
import { createLogger } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { createOsUpdatePart } from './os-update-part.ts';
import type { UpdateSystemd } from './run-update.ts';

const WATCHED_MS = 400;

it('begins no more than a bounded number of steps, although each says that the next is due at once', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-pace-'));
  let starts = 0;
  const systemd: UpdateSystemd = {
    unitStates: async () => [],
    async *watchUnits() {},
    startUnit: async () => {
      starts += 1;
      return 'failed';
    },
    stopUnit: async () => 'done',
  };
  const settings = { systemd, evacuation, retryMs: 0, tries: 1e6, readBootId: async () => 'boot' };

  await createOsUpdatePart(contextOf(directory.path), settings).run(AbortSignal.timeout(WATCHED_MS));

  expect(starts).toBeGreaterThan(1);
  expect(starts).toBeLessThanOrEqual(WATCHED_MS / 9 + 1);
});

const evacuation = { evacuate: async () => ({ kind: 'empty' }) as const, withdraw: async () => undefined };

function contextOf(stateDirectory: string): Parameters<typeof createOsUpdatePart>[0] {
  const spec = { version: '1.1' } as NonNullable<Hypervisor['spec']>;
  const current: Hypervisor = { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata: { name: 'n1' }, spec };
  return {
    stateDirectory,
    hypervisor: { current, onChange: () => () => undefined },
    board: { state: () => undefined },
    logger: createLogger({ name: 'test', destination: { write: () => undefined } }),
    ignore: () => undefined,
    now: () => new Date(),
  };
}
