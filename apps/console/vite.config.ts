import { resolve } from 'node:path';

import { defineConfig, type UserConfig } from 'vite';

import { compressFiles } from './compress-files.ts';

const config: UserConfig = defineConfig({
  root: resolve(import.meta.dirname, 'web'),
  base: '/',
  plugins: [compressFiles()],
  build: {
    outDir: resolve(import.meta.dirname, '../../.cache/console'),
    emptyOutDir: true,
    target: 'es2023',
    // Browsers that know light-dark(): what stands in for it elsewhere does not follow the switch of the page.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inlined files would be data: addresses, which the policy for scripts and fonts refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // What every page needs is two files that stay in the browser's cache when a page changes, not thirty small ones.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|@mantine|@tanstack|@floating-ui)[\\/]/,
            },
            { name: 'frame', test: /web[\\/]src[\\/](live|api|frame|parts[\\/](?!graph|yaml))/ },
          ],
        },
      },
      onLog: (level, log, tell) => {
        // Components say "use client" for servers that draw pages; there is none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') tell(level, log);
      },
    },
  },
});

export default config;
