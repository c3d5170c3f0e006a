import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';

import { SETTINGS_READERS, settingsOf } from './fixtures/settings-readers.ts';
import { renderedObjects } from './rendered-objects.ts';

const DEPLOY = resolve(import.meta.dirname, '../../deploy');
const texts = await Promise.all(
  ['smalt', 'ovs-agent'].map((name) => readFile(resolve(DEPLOY, `${name}.yaml`), 'utf8')),
);
const settings = settingsOf(texts.flatMap(renderedObjects));

it('are there for each program that is on, or has a file of its own', () => {
  const byItself = Object.keys(SETTINGS_READERS).filter((name) => name !== 'smalt-ha-agent');

  expect(Object.keys(settings).toSorted()).toEqual(byItself);
});

it.each(Object.entries(settings))('are taken by the program of %s', async (name, text) => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-chart-'));
  const file = join(directory.path, 'config.yaml');
  await writeFile(file, text);

  await expect(SETTINGS_READERS[name]?.(file)).resolves.toBeDefined();
  await writeFile(file, `${text}\nnobodyKnowsThis: 1\n`);
  await expect(SETTINGS_READERS[name]?.(file)).rejects.toThrow('nobodyKnowsThis');
});
