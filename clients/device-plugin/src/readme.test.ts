import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import type { DevicePluginErrorCode } from './device-plugin-error.ts';
import { FakeKubelet } from './fixtures/fake-kubelet.ts';

const folder = new URL('../', import.meta.url);
const readme = await readFile(new URL('README.md', folder), 'utf8');

it('has an example that offers its device', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'plugins-'));
  await using kubelet = await FakeKubelet.start(directory.path);
  const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(readme) ?? [];
  const here = code.replace('socketName:', `directory: ${JSON.stringify(directory.path)},\n  socketName:`);

  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', here], {
    cwd: folder,
    timeout: 20_000,
  });

  expect(stdout).toBe('offered\nnot offered\n');
  expect(kubelet.registrations).toMatchObject([{ resourceName: 'devices.kubevirt.io/kvm' }]);
});

it('explains every error code', () => {
  const codes: Readonly<Record<DevicePluginErrorCode, true>> = {
    aborted: true,
    'bad-message': true,
    'cannot-listen': true,
    'no-kubelet': true,
    'no-such-device': true,
    refused: true,
    timeout: true,
  };

  const explained = [...readme.matchAll(/^\| `([a-z-]+)` \|/gm)].map((match) => match[1]);

  expect(explained).toEqual(Object.keys(codes));
});
