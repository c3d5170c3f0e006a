import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { loadKubeConfig } from './load-kube-config.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kube-load-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

describe('loadKubeConfig', () => {
  it('takes the file that is named before all others', async () => {
    const [named, listed] = [await configFile('named'), await configFile('listed')];

    const config = await loadKubeConfig({ path: named, environment: { KUBECONFIG: listed } });

    expect(config.server).toBe('https://named.example');
  });

  it('merges the files of KUBECONFIG and leaves out those that do not exist', async () => {
    const listed = await configFile('listed');

    const config = await loadKubeConfig({ environment: { KUBECONFIG: `${directory}/missing:${listed}` } });

    expect(config.server).toBe('https://listed.example');
  });

  it('looks into the home directory, and only then at the pod it runs in', async () => {
    const environment = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' };
    await writeFile(join(directory, 'namespace'), 'kube-system\n');
    const options = { environment, homeDirectory: directory, accountDirectory: directory };

    const inPod = await loadKubeConfig(options);
    await mkdir(join(directory, '.kube'));
    await configFile('home', '.kube/config');
    const atHome = await loadKubeConfig(options);

    expect(inPod).toEqual({
      server: 'https://[fd00::1]:443',
      tls: { authority: { kind: 'file', path: join(directory, 'ca.crt') }, isInsecure: false },
      identity: { kind: 'token', token: { kind: 'file', path: join(directory, 'token') } },
      namespace: 'kube-system',
    });
    expect(atHome.server).toBe('https://home.example');
  });

  it('says where it has looked', async () => {
    const loading = loadKubeConfig({ environment: {}, homeDirectory: directory });

    await expect(loading).rejects.toMatchObject({
      code: 'bad-config',
      message: `no kubeconfig: none of ${directory}/.kube/config exists, and this is not a pod`,
    });
  });

  it('names a file that cannot be read', async () => {
    await expect(loadKubeConfig({ path: directory, environment: {} })).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringContaining(`${directory} cannot be read: EISDIR`),
    });
  });
});

async function configFile(name: string, path = name): Promise<string> {
  const text = `
clusters: [{ name: c, cluster: { server: "https://${name}.example" } }]
contexts: [{ name: x, context: { cluster: c } }]
current-context: x
`;
  await writeFile(join(directory, path), text);
  return join(directory, path);
}
