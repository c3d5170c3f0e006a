import type { VirtualMachineInstancePreset } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { PresetLooks } from './preset-looks.ts';

const signal = new AbortController().signal;

it('asks once for all instances that are made within a second, for each namespace by itself', async () => {
  const { looks, asked, clock } = world();

  await looks.find('a', signal);
  await looks.find('a', signal);
  await looks.find('b', signal);
  clock.time += 999;
  await looks.find('a', signal);

  expect(asked).toEqual(['a', 'b']);
});

it('asks again after a second', async () => {
  const { looks, asked, clock, presets } = world();
  await looks.find('a', signal);
  presets.push(preset('late'));

  clock.time += 1_000;

  expect(await looks.find('a', signal)).toMatchObject([{ metadata: { name: 'late' } }]);
  expect(asked).toEqual(['a', 'a']);
});

it('asks each time after a preset was written here, until that is surely stored', async () => {
  const { looks, asked, clock } = world();
  await looks.find('a', signal);

  looks.noteWrite('a');
  await looks.find('a', signal);
  await looks.find('a', signal);
  await looks.find('b', signal);
  await looks.find('b', signal);
  clock.time += 5_000;
  await looks.find('a', signal);
  await looks.find('a', signal);

  expect(asked).toEqual(['a', 'a', 'a', 'b', 'a']);
});

it('keeps no answer during which a preset was written', async () => {
  const { looks, asked, answer } = world();
  const waiting = answer();

  const first = looks.find('a', signal);
  looks.noteWrite('a');
  waiting.resolve();
  await first;
  await looks.find('a', signal);

  expect(asked).toEqual(['a', 'a']);
});

it('asks once for instances that are made at the same time', async () => {
  const { looks, asked, answer } = world();
  const waiting = answer();

  const both = Promise.all([looks.find('a', signal), looks.find('a', signal)]);
  waiting.resolve();
  await both;

  expect(asked).toEqual(['a']);
});

it('does not wait longer than whoever asks, and lets others wait on', async () => {
  const { looks, answer } = world();
  const waiting = answer();
  const hasty = new AbortController();

  const [first, second] = [looks.find('a', hasty.signal), looks.find('a', signal)];
  hasty.abort(new Error('enough'));
  await expect(first).rejects.toThrow('enough');
  waiting.resolve();

  expect(await second).toEqual([]);
});

it('goes by no answer that is older than a second, however long it took', async () => {
  const { looks, asked, answer, clock } = world();
  const waiting = answer();

  const slow = looks.find('a', signal);
  clock.time += 1_000;
  await looks.find('a', signal);
  waiting.resolve();
  await slow;
  await looks.find('a', signal);

  expect(asked).toEqual(['a', 'a']);
});

it('keeps nothing of a failure', async () => {
  const { looks, answer } = world();
  answer().reject(new Error('away'));

  await expect(looks.find('a', signal)).rejects.toThrow('away');

  expect(await looks.find('a', signal)).toEqual([]);
});

function world() {
  const clock = { time: 0, now: () => clock.time };
  const asked: string[] = [];
  const presets: VirtualMachineInstancePreset[] = [];
  let waiting: PromiseWithResolvers<void> | undefined;
  const reader = {
    presets: async (namespace: string) => {
      asked.push(namespace);
      const held = waiting;
      waiting = undefined;
      await held?.promise;
      return [...presets];
    },
  };
  const answer = (): PromiseWithResolvers<void> => (waiting = Promise.withResolvers<void>());
  return { looks: new PresetLooks({ reader, clock }), asked, presets, clock, answer };
}

function preset(name: string): VirtualMachineInstancePreset {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstancePreset',
    metadata: { name },
    spec: { selector: {} },
  };
}
