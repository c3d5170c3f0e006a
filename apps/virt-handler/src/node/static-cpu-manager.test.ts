import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { hasStaticCpuManager, kubeletDirectoryOf } from './static-cpu-manager.ts';

const STATIC = '{"policyName":"static","defaultCpuSet":"0","entries":{}}';

it.each([
  [STATIC, true, true],
  ['{"policyName":"none","defaultCpuSet":""}', false, false],
  [undefined, undefined, false],
])('a manager that writes %s gives processors: %s under a kubelet, %s under the pod runner', async (...told) => {
  const [text, ofKubelet, ofRunner] = told;
  await using machine = await mkdtempDisposable(join(tmpdir(), 'manager-'));
  const podsDirectory = join(machine.path, 'pods');
  // The handler sees the files of the kubelet only where the machine has them.
  const kubelet = join(machine.path, 'srv/kubelet');
  for (const directory of [podsDirectory, kubelet]) {
    await mkdir(directory, { recursive: true });
    if (text !== undefined) await writeFile(join(directory, 'cpu_manager_state'), text);
  }
  const places = { podsDirectory, devicePlugins: '/srv/kubelet/device-plugins', machineDirectory: machine.path };

  expect(await hasStaticCpuManager({ ...places, keeper: 'kubelet' })).toBe(ofKubelet);
  expect(await hasStaticCpuManager({ ...places, keeper: 'pod-runner' })).toBe(ofRunner);
});

it('does not count what another keeper of pods has left', async () => {
  await using machine = await mkdtempDisposable(join(tmpdir(), 'manager-'));
  await writeFile(join(machine.path, 'cpu_manager_state'), STATIC);
  const places = {
    podsDirectory: machine.path,
    devicePlugins: undefined,
    machineDirectory: join(machine.path, 'none'),
  };

  expect(await hasStaticCpuManager({ ...places, keeper: 'kubelet' })).toBeUndefined();
});

it.each([
  [undefined, '/var/lib/kubelet'],
  ['/data/kubelet/device-plugins', '/data/kubelet'],
  ['/data/kubelet/device-plugins/', '/data/kubelet'],
])('a kubelet with its sockets in %s keeps its state in %s', (devicePlugins, directory) => {
  expect(kubeletDirectoryOf(devicePlugins)).toBe(directory);
});
