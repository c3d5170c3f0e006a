import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { boat } from '../src/fixtures/sea-kinds.ts';
import type { Kind } from '../src/kind.ts';
import { generateKinds, type GenerateOptions } from './generate-kinds.ts';

describe('generateKinds', () => {
  it('writes what is stale, removes what no kind gives any more, and leaves the rest', async () => {
    await using place = await folder();
    await mkdir(join(place.path, 'deploy/helm/smalt/files/crds'), { recursive: true });
    await writeFile(join(place.path, 'deploy/helm/smalt/files/crds/rafts.example.org.yaml'), '');
    await writeFile(join(place.path, 'deploy/helm/smalt/files/crds/rafts.other.org.yaml'), '');

    const first = await generateKinds(place.options([boat()]));
    const second = await generateKinds(place.options([boat()]));

    expect(first.removed).toEqual(['deploy/helm/smalt/files/crds/rafts.example.org.yaml']);
    expect(first.written).toContain('docs/reference/boat.md');
    expect(second).toEqual({ written: [], removed: [] });
    expect(await readdir(join(place.path, 'deploy/helm/smalt/files/crds'))).toEqual([
      'boats.example.org.yaml',
      'rafts.other.org.yaml',
    ]);
  });

  it('only tells when it is to check', async () => {
    await using place = await folder();
    await generateKinds(place.options([boat()]));
    await writeFile(join(place.path, 'docs/reference/boat.md'), 'changed by hand');

    const found = await generateKinds({ ...place.options([boat()]), isCheck: true });

    expect(found).toEqual({ written: ['docs/reference/boat.md'], removed: [] });
    expect(await readFile(join(place.path, 'docs/reference/boat.md'), 'utf8')).toBe('changed by hand');
  });
});

interface Place extends AsyncDisposable {
  readonly path: string;
  options(kinds: readonly Kind[]): GenerateOptions;
}

async function folder(): Promise<Place> {
  const path = await mkdtemp(join(tmpdir(), 'smalt-kind-'));
  return {
    path,
    options: (kinds) => ({ kinds, root: pathToFileURL(`${path}/`), folder: 'domain/sea-api', isCheck: false }),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
}
