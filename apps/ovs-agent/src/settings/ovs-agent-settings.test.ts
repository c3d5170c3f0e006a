import { expect, it } from 'vitest';

import { loadOvsAgentConfig } from './load-ovs-agent-config.ts';
import { ovsAgentSettings, type OvsAgentSettings } from './ovs-agent-settings.ts';

it('has a default for everything', async () => {
  expect(await settings([])).toMatchObject({
    nodeName: 'hv1.example',
    namespace: 'ovn-system',
    runDirectories: ['/var/run/openvswitch', '/run/openvswitch', '/run/ovn', '/var/run/ovn'],
    root: '/',
    lockDirectory: '/var/lib/smalt/ovs-agent',
    judgement: { expectedBridges: [], disabledRules: [] },
    times: { refreshMs: 10_000, controllerMs: 1_000, countersMs: 60_000, answerMs: 3_000, scanMs: 900_000 },
    southbound: {},
    libvirtUri: undefined,
    troubleshooting: undefined,
  });
});

it('goes by the variable of the DaemonSet, unless a setting is given', async () => {
  expect((await settings([], { NODE_NAME: 'node-7' })).nodeName).toBe('node-7');
  expect((await settings(['--node', 'mine'], { NODE_NAME: 'node-7' })).nodeName).toBe('mine');
});

it('has its lock beside its state, or where both agents of a node find it', async () => {
  expect((await settings(['--state', '/var/lib/mine'])).lockDirectory).toBe('/var/lib/mine');
  expect((await settings(['--state', '/var/lib/mine', '--lock', '/host/lock'])).lockDirectory).toBe('/host/lock');
});

it('takes its settings from variables too', async () => {
  const environment = {
    SMALT_OVS_AGENT_REFRESH_SECONDS: '30',
    SMALT_OVS_AGENT_BRIDGES: 'br-int,br-ex',
    SMALT_OVS_AGENT_DISABLED_RULES: 'UnmanagedPort',
  };

  expect(await settings([], environment)).toMatchObject({
    times: { refreshMs: 30_000 },
    judgement: { expectedBridges: ['br-int', 'br-ex'], disabledRules: ['UnmanagedPort'] },
  });
});

it('looks for everything of the host below its root', async () => {
  const { runDirectories, root } = await settings(['--root', '/host', '--run-directories', '/run/openvswitch']);

  expect({ runDirectories, root }).toEqual({ runDirectories: ['/host/run/openvswitch'], root: '/host' });
});

it('reads the southbound database with certificates, or not at all', async () => {
  const files = ['--southbound-certificate', '/c', '--southbound-key', '/k', '--southbound-authority', '/a'];

  expect((await settings(files)).southbound).toEqual({
    tls: { certificateFile: '/c', keyFile: '/k', authorityFile: '/a' },
  });
  expect((await settings(['--no-southbound-read'])).southbound).toBeUndefined();
});

it('serves the troubleshooting API where it is told to listen', async () => {
  const flags = [
    '--troubleshoot-listen',
    '0.0.0.0:9443',
    '--troubleshoot-most-capture-mebibytes',
    '2',
    '--state',
    '/s',
  ];

  expect((await settings(flags)).troubleshooting).toMatchObject({
    listen: '0.0.0.0:9443',
    mostCaptureBytes: 2_097_152,
    stateDirectory: '/s',
    certificateFile: '',
  });
});

it.each([
  { flags: ['--disabled-rules', 'UnmangedPort'], says: 'there is no rule "UnmangedPort"; did you mean UnmanagedPort?' },
  { flags: ['--disabled-rules', 'x'], says: 'disabledRules: there is no rule "x"; the rules are DatabaseUnreachable,' },
  { flags: ['--southbound-key', '/k'], says: 'southbound.certificate: is needed beside southbound.key' },
  { flags: ['--southbound-certificate', '/c', '--southbound-key', '/k'], says: 'southbound.authority: is needed' },
  { flags: ['--troubleshoot-listen', ':1', '--troubleshoot-key', '/k'], says: 'troubleshoot.certificate: is needed' },
  { flags: ['--run-directories', 'relative'], says: 'run-directories' },
  { flags: ['--refresh-seconds', '0'], says: 'refresh-seconds' },
  { flags: ['--namespace', ''], says: 'namespace' },
])('refuses $flags by name', async ({ flags, says }) => {
  await expect(settings(flags)).rejects.toThrow(says);
});

async function settings(flags: readonly string[], environment: Record<string, string> = {}): Promise<OvsAgentSettings> {
  const loaded = await loadOvsAgentConfig({ arguments: flags, environment });
  if (loaded.kind === 'help') throw new Error('nobody asked for help');
  return ovsAgentSettings(loaded.config, { environment, hostname: 'HV1.example' });
}
