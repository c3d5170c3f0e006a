import { expect, it } from 'vitest';

import { bundleManifest } from './bundle-manifest.ts';

it('says which files each file loads, and which packages are in it', () => {
  const manifest = bundleManifest(
    '/repository',
    [
      chunk('smalt.mjs', ['/repository/apps/smalt/src/main.ts'], ['chunks/a.mjs']),
      chunk('chunks/a.mjs', [
        '/repository/node_modules/undici/lib/api.js',
        '/repository/node_modules/undici/lib/core.js',
        '/repository/node_modules/a/node_modules/@scope/inner/index.js',
        '\0rolldown/runtime.js',
      ]),
    ],
    ['/repository/node_modules/@mantine/core/styles.css', '\0/repository/node_modules/react/index.js?commonjs-module'],
  );

  expect(manifest).toEqual({
    chunks: {
      'chunks/a.mjs': {
        imports: [],
        dynamicImports: [],
        packages: ['node_modules/a/node_modules/@scope/inner', 'node_modules/undici'],
      },
      'smalt.mjs': { imports: [], dynamicImports: ['chunks/a.mjs'], packages: [] },
    },
    pages: { packages: ['node_modules/@mantine/core', 'node_modules/react'] },
  });
});

function chunk(
  fileName: string,
  moduleIds: readonly string[],
  dynamicImports: readonly string[] = [],
): Parameters<typeof bundleManifest>[1][number] {
  return { fileName, imports: [], dynamicImports, moduleIds };
}
