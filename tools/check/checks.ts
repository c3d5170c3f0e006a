/** One rule of the house and the command that holds it. A command that exits with 0 has found nothing. */
export interface Check {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const folders = [
  'protocols',
  'domain',
  'clients',
  'runtime',
  'adapters',
  'apps',
  'beds',
  'scenarios',
  'benchmarks',
  'tools',
];

/** All checks of `npm run check`, the quick ones first. */
export const checks: readonly Check[] = [
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'types', command: ['tsc', '-p', '.'] },
  { name: 'types of the set-up', command: ['tsc', '-p', 'tools/set-up'] },
  { name: 'types of the pages', command: ['tsc', '-p', 'apps/console/web'] },
  { name: 'layers', command: ['depcruise', '--config', '.dependency-cruiser.mjs', ...folders] },
  { name: 'unused code and dependencies', command: ['knip'] },
  { name: 'generated files are current', command: ['node', 'tools/generate/main.ts', '--check'] },
  { name: 'house rules', command: ['node', 'tools/check/house-rules-main.ts'] },
];
