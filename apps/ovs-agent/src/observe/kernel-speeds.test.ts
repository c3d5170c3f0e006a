import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { InterfaceFacts, SwitchConfiguration } from '@smalt/switch-health';
import { expect, it } from 'vitest';

import { card } from '../fixtures/switch-view.ts';
import { readKernelSpeeds } from './kernel-speeds.ts';

it('asks the kernel for cards whose speed the database leaves out, and for no others', async () => {
  await using sysfs = await mkdtempDisposable(join(tmpdir(), 'smalt-sysfs-'));
  const speeds = { eno1: '25000', eno2: '-1', eno3: '100000', tap1: '10000', vhost1: '1000', eno5: 'odd' };
  for (const [name, speed] of Object.entries(speeds)) {
    await mkdir(join(sysfs.path, 'class/net', name), { recursive: true });
    await writeFile(join(sysfs.path, 'class/net', name, 'speed'), `${speed}\n`);
  }
  const configuration = withInterfaces([
    card('eno1'),
    card('eno2'),
    { ...card('eno3'), linkSpeed: 100_000_000_000n },
    { ...card('tap1'), externalIds: new Map([['iface-id', 'vm1']]) },
    { ...card('vhost1'), type: 'dpdkvhostuserclient' },
    { ...card('eno4'), linkState: 'down' },
    card('eno5'),
    card('missing'),
    card('..'),
  ]);

  expect(await readKernelSpeeds(configuration, sysfs.path)).toEqual(new Map([['eno1', 25_000_000_000n]]));
});

it('knows nothing while nothing is configured', async () => {
  expect(await readKernelSpeeds(undefined, '/nowhere')).toEqual(new Map());
});

function withInterfaces(interfaces: readonly InterfaceFacts[]): SwitchConfiguration {
  const port = { name: 'p', bondMode: undefined, lacp: undefined, bondActiveMember: undefined, externalIds: new Map() };
  return {
    ovsVersion: undefined,
    isDpdkInitialized: false,
    dpdkVersion: undefined,
    externalIds: new Map(),
    nextConfiguration: 0n,
    currentConfiguration: 0n,
    bridges: [
      {
        name: 'br-provider',
        datapathType: '',
        datapathId: undefined,
        failMode: undefined,
        externalIds: new Map(),
        controllers: [],
        mirrors: [],
        ports: [{ ...port, interfaces }],
      },
    ],
  };
}
