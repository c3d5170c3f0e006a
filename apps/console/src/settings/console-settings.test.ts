import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { messageOf } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { consoleSettings, type ConsoleSettings } from './console-settings.ts';
import { loadConsoleConfig } from './load-console-config.ts';

it('has what one machine usually has', async () => {
  expect(await settingsOf()).toEqual({
    tls: undefined,
    origins: [],
    trustedProxies: [],
    highAvailability: undefined,
    keyFile: '/var/lib/smalt/console/key',
    signedOutFile: undefined,
    signedOutConfigMap: undefined,
  });
});

it('takes what flags say, and reads tokens when they are needed', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-console-settings-'));
  const [authority, token] = [join(directory.path, 'ca.crt'), join(directory.path, 'token')];
  const settings = await settingsOf(
    '--serve-certificate=/crt',
    '--serve-key=/key',
    '--serve-origins=https://console.example,https://other.example',
    '--serve-trusted-proxies=10.0.0.0/8,192.0.2.7',
    '--sessions-signed-out-file=/signed-out',
    '--high-availability-url=https://ha:7402',
    `--high-availability-authority=${authority}`,
    `--high-availability-token-file=${token}`,
  );
  const early = await settings.highAvailability?.authority?.().catch(messageOf);
  await Promise.all([writeFile(authority, 'PEM'), writeFile(token, 'later\n')]);

  expect(settings).toMatchObject({
    tls: { certificateFile: '/crt', keyFile: '/key' },
    origins: ['https://console.example', 'https://other.example'],
    trustedProxies: ['10.0.0.0/8', '192.0.2.7'],
    signedOutFile: '/signed-out',
    highAvailability: { url: 'https://ha:7402' },
  });
  expect(early).toContain(`highAvailability.authority: ${authority} cannot be read yet`);
  expect(await settings.highAvailability?.authority?.()).toBe('PEM');
  expect(await settings.highAvailability?.token()).toBe('later');
});

it('takes the place of a ConfigMap', async () => {
  expect(await settingsOf('--sessions-signed-out-config-map=smalt-system/signed-out')).toMatchObject({
    signedOutConfigMap: { namespace: 'smalt-system', name: 'signed-out' },
  });
});

it.each([
  [['--sessions-signed-out-config-map=nowhere'], 'sessions.signedOutConfigMap: "nowhere" is none: give NAMESPACE/NAME'],
  [
    ['--sessions-signed-out-config-map=a/b', '--sessions-signed-out-file=/c'],
    'sessions.signedOutFile and sessions.signedOutConfigMap are two ways',
  ],
  [['--serve-certificate=/crt'], 'serve.certificate and serve.key go together'],
  [['--high-availability-url=http://ha', '--high-availability-token-file=/t'], 'highAvailability.url: "http://ha"'],
  [['--high-availability-url=https://ha'], 'highAvailability.tokenFile has to be given'],
  [['--serve-origin=x'], '--serve-origins'],
])('refuses %j by the name of the setting', async (flags, message) => {
  await expect(settingsOf(...flags)).rejects.toThrow(message);
});

async function settingsOf(...flags: readonly string[]): Promise<ConsoleSettings> {
  const loaded = await loadConsoleConfig({ arguments: flags, environment: {} });
  if (loaded.kind === 'help') throw new Error('help was asked for');
  return consoleSettings(loaded.config);
}
