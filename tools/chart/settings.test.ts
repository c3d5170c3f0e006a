import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { loadConsoleConfig } from '@smalt/console';
import { SettingsFile } from '@smalt/ha-service';
import { loadOperatorConfig } from '@smalt/hypervisor-operator';
import { loadNodeAgentConfig } from '@smalt/node-agent';
import { loadOvsAgentConfig } from '@smalt/ovs-agent';
import { loadVirtApiConfig } from '@smalt/virt-api';
import { loadVirtControllerConfig } from '@smalt/virt-controller';
import { loadVirtHandlerConfig } from '@smalt/virt-handler';
import { expect, it } from 'vitest';

import { renderedObjects } from './rendered-objects.ts';

type Load = (file: string) => Promise<unknown>;
type LoadConfig = (sources: { arguments: readonly string[]; environment: Record<string, string> }) => Promise<unknown>;

const DEPLOY = resolve(import.meta.dirname, '../../deploy');
const texts = await Promise.all(
  ['smalt', 'ovs-agent'].map((name) => readFile(resolve(DEPLOY, `${name}.yaml`), 'utf8')),
);
/** Empty when it is installed: the console writes into it who signed out. */
const STATE = 'smalt-console-signed-out';
const configMaps = texts
  .flatMap(renderedObjects)
  .filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name !== STATE);

const READERS: Readonly<Record<string, Load>> = {
  'smalt-console': by(loadConsoleConfig),
  'smalt-ha-service': async (file) => (await SettingsFile.open(file)).current,
  'smalt-hypervisor-operator': by(loadOperatorConfig),
  'smalt-node-agent': by(loadNodeAgentConfig),
  'smalt-ovs-agent': by(loadOvsAgentConfig),
  'virt-api': by(loadVirtApiConfig),
  'virt-controller': by(loadVirtControllerConfig),
  'virt-handler': by(loadVirtHandlerConfig),
};

it('are there for each program', () => {
  expect(configMaps.map(({ metadata }) => metadata.name).toSorted()).toEqual(Object.keys(READERS));
});

it.each(configMaps.map((object) => [object.metadata.name, object.data?.['config.yaml'] ?? ''] as const))(
  'are taken by the program of %s',
  async (name, text) => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-chart-'));
    const file = join(directory.path, 'config.yaml');
    await writeFile(file, text);

    await expect(READERS[name]?.(file)).resolves.toBeDefined();
    await writeFile(file, `${text}\nnobodyKnowsThis: 1\n`);
    await expect(READERS[name]?.(file)).rejects.toThrow('nobodyKnowsThis');
  },
);

function by(load: LoadConfig): Load {
  return (file) => load({ arguments: ['--config', file], environment: {} });
}
