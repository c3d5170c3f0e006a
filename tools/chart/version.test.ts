import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(await read('package.json'));

it('is that of package.json in all places that a release names', async () => {
  const chart = parse(await read('deploy/helm/smalt/Chart.yaml'));
  const lock = JSON.parse(await read('package-lock.json'));

  expect({ chart: chart.version, app: chart.appVersion, lock: lock.version }).toEqual({
    chart: version,
    app: version,
    lock: version,
  });
});

it('is the tag of the images that a release installs', async () => {
  const page = /docker:\/\/registry[.]example\/smalt\/\$name:(\S+)/v.exec(await read('docs/install/install.md'));
  const manifests = await Promise.all(['smalt', 'libvirt', 'ovs-agent'].map((name) => read(`deploy/${name}.yaml`)));
  const tags = [...manifests.join('').matchAll(/image: smalt[.]local\/[a-z\-]+:(\S+)/gv)].map(([, tag]) => tag);

  expect(page?.[1]).toBe(version);
  expect(tags.length).toBeGreaterThan(5);
  expect(new Set(tags)).toEqual(new Set([version]));
});

async function read(path: string): Promise<string> {
  return await readFile(resolve(ROOT, path), 'utf8');
}
