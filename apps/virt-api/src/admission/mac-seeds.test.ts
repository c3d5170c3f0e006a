import { virtualMachineInstanceKind, virtualMachineKind } from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { instanceDraft, machineDraft } from '../fixtures/machines.ts';
import { startPluggedBed, type PluggedBed } from '../fixtures/plugged-bed.ts';

const SEED = 'smalt.dev/mac-seed';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
let bed: PluggedBed;

beforeAll(async () => {
  bed = await startPluggedBed();
}, 60_000);

afterAll(() => bed[Symbol.asyncDispose]());

it('gives every new machine a seed of its own for hardware addresses, which stays when the machine is replaced', async () => {
  const machines = bed.admin.resource(virtualMachineKind);
  const one = await machines.create(machineDraft('one'));
  const other = await machines.create(machineDraft('other'));
  const seeds = [one, other].map(({ spec }) => spec.template.metadata?.annotations?.[SEED]);

  const { metadata: _dropped, ...template } = one.spec.template;
  const replaced = await machines.replace({ ...one, spec: { ...one.spec, template } });

  expect(seeds).toEqual([expect.stringMatching(UUID), expect.stringMatching(UUID)]);
  expect(seeds[0]).not.toBe(seeds[1]);
  expect(replaced.spec.template.metadata?.annotations?.[SEED]).toBe(seeds[0]);
});

it('lets nobody change the seed of an instance', async () => {
  const instances = bed.admin.resource(virtualMachineInstanceKind);
  const { metadata } = await instances.create(instanceDraft('bare'));

  const annotations = { [SEED]: 'another', note: 'mine' };
  const changed = await instances.patch('bare', 'merge', { metadata: { annotations } }, { namespace: 'default' });

  expect(metadata.annotations?.[SEED]).toMatch(UUID);
  expect(changed.metadata.annotations).toMatchObject({ note: 'mine', [SEED]: metadata.annotations?.[SEED] });
});
