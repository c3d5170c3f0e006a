// Which folder may import from which: the table in docs/tour.md, held by a tool.

const layers = {
  protocols: [],
  domain: ['protocols'],
  clients: ['protocols'],
  runtime: ['clients', 'protocols'],
  // See docs/decisions/0017-adapters-have-a-folder.md
  adapters: ['clients', 'domain', 'protocols'],
  apps: ['adapters', 'runtime', 'clients', 'domain', 'protocols'],
  // See docs/decisions/0004-one-libvirtd-runner.md
  beds: ['runtime', 'clients', 'protocols'],
};

const packageFolders = Object.keys(layers).join('|');
const INDEX = `^(${packageFolders})/[^/]+/src/index[.]ts$`;

// The generators of several packages share one.
const SHARED_GENERATOR = '^domain/kind/generate/generate-kinds[.]ts$';

// What of Node neither reads nor writes. Of `net` the house rules let isIP and its like through, and nothing else.
const PURE_MODULES = '^(node:)?(buffer|crypto|net|path|url|util|zlib)(/|$)';

const TEST = '[.]test[.]tsx?$';

const folders = [...Object.keys(layers), 'scenarios', 'benchmarks', 'tools'];

const layerRules = Object.entries(layers).map(([folder, allowed]) => ({
  name: `${folder}-may-import-only-from-above`,
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: TEST },
  to: { path: folders.filter((other) => other !== folder && !allowed.includes(other)).map((other) => `^${other}/`) },
}));

export default {
  forbidden: [
    ...layerRules,
    {
      name: 'no-import-past-an-index',
      comment: 'A package is used through its src/index.ts only.',
      severity: 'error',
      from: { path: `^(${packageFolders})/([^/]+)/` },
      to: { path: `^(${packageFolders})/[^/]+/.+`, pathNot: ['^$1/$2/', INDEX, SHARED_GENERATOR] },
    },
    {
      name: 'no-import-past-an-index-from-the-sides',
      comment: 'As above, for the folders that are one package each.',
      severity: 'error',
      from: { path: '^(scenarios|benchmarks|tools)/' },
      to: { path: `^(${packageFolders})/[^/]+/.+`, pathNot: [INDEX] },
    },
    {
      name: 'pages-import-only-what-is-pure',
      comment: 'What runs in a browser has no Node, and no part of the server.',
      severity: 'error',
      from: { path: '^apps/console/web/' },
      to: { path: '^(clients|runtime|adapters|apps)/', pathNot: '^apps/console/web/' },
    },
    {
      name: 'protocols-and-domain-do-no-io',
      comment: 'They compute. What reads and writes is a client, a runtime or a generator beside src.',
      severity: 'error',
      from: { path: '^(protocols|domain)/[^/]+/src/', pathNot: TEST },
      to: { dependencyTypes: ['core'], pathNot: PURE_MODULES },
    },
    {
      name: 'generators-are-for-generators',
      comment: 'They read and write files; a program gets what they wrote.',
      severity: 'error',
      from: { pathNot: ['/generate/', TEST] },
      to: { path: `^(${packageFolders})/[^/]+/generate/` },
    },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-test-code-in-the-product',
      severity: 'error',
      from: { pathNot: TEST },
      to: { path: TEST },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(fixtures|node_modules)/' },
    // Who depends on whom, the other way round, is a quarter of the work, and no rule asks for it.
    skipAnalysisNotInRules: true,
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import'],
      extensions: ['.ts', '.tsx', '.mjs', '.css'],
    },
  },
};
