import { expect, it } from 'vitest';

import { agentSettings, haAgentSettings } from './agent-settings.ts';
import { loadHaAgentConfig, loadNodeAgentConfig } from './load-agent-config.ts';

it('has a default for everything', async () => {
  expect(await settings([])).toMatchObject({
    nodeName: 'hv1.example',
    namespace: undefined,
    libvirt: { kind: 'host', uri: 'qemu:///system' },
    stateDirectory: '/var/lib/smalt/node-agent',
    register: false,
    pollMs: 60_000,
    certificates: { install: true, directory: '/etc/pki', namespace: undefined, guestAccount: undefined },
    migrations: { timeToLiveMs: 86_400_000 },
    ha: { maxQueuedRecords: 100_000, maxQueuedBytes: 67_108_864 },
  });
});

it('goes by the variables of the agent that existed before, unless a setting is given', async () => {
  const environment = {
    HOSTNAME: 'node7',
    NAMESPACE: 'monsoon3',
    LIBVIRT_DEFAULT_URI: 'ch:///system',
    PKI_PATH: '/pki',
  };

  expect(await settings(['--node', 'node8'], environment)).toMatchObject({
    nodeName: 'node8',
    namespace: 'monsoon3',
    libvirt: { kind: 'host', uri: 'ch:///system' },
    certificates: { directory: '/pki' },
  });
});

it('knows both ways to have a daemon', async () => {
  const managed = await settings(['--daemon', 'managed', '--state', '/srv/agent']);

  expect(managed.libvirt).toEqual({ kind: 'managed', directory: '/srv/agent/libvirt' });
});

it('hands what the HA agent needs on, inside and alone', async () => {
  const flags = ['--ha-url', 'https://ha.example', '--ha-certificate', '/c', '--ha-key', '/k', '--ha-reports', '/r'];
  const service = {
    url: 'https://ha.example',
    identity: { kind: 'certificate', certificateFile: '/c', keyFile: '/k' },
  };
  const loaded = await loadHaAgentConfig({ arguments: [...flags, '--node', 'n1'], environment: {} });

  expect((await settings(flags)).ha).toMatchObject({ service, reportFile: '/r' });
  expect((await settings(['--no-ha-agent', ...flags])).ha).toBeUndefined();
  expect(loaded.kind === 'config' && (await haAgentSettings(loaded.config, around({})))).toMatchObject({
    nodeName: 'n1',
    libvirtUri: 'qemu:///system',
    stateDirectory: '/var/lib/smalt/ha-agent',
    ha: { service },
  });
});

it.each([
  { flags: ['--ha-key', '/k'], says: 'ha.key is given without ha.certificate: give both' },
  {
    flags: ['--ha-key', '/k', '--ha-certificate', '/c', '--ha-token', '/t'],
    says: 'ha.certificate and ha.token: give one of them, not both',
  },
])('refuses $flags', async ({ flags, says }) => {
  await expect(settings(flags)).rejects.toThrow(says);
});

async function settings(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const loaded = await loadNodeAgentConfig({ arguments: flags, environment });
  if (loaded.kind === 'help') throw new Error('not asked for');
  return await agentSettings(loaded.config, around(environment));
}

function around(environment: Readonly<Record<string, string>>) {
  return { environment, hostname: 'HV1.example', exists: async () => false };
}
