import { spawnSync } from 'node:child_process';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLine } from '../command-line.ts';
import { startCliBed, type CliBed } from '../output/fixtures/cli-bed.ts';
import { completionScript } from './completion-scripts.ts';
import { decideCompletion } from './decide-completion.ts';
import { runComplete } from './run-complete.ts';

const root = commandLine({});

describe('decideCompletion', () => {
  it.each([
    [['mai'], { words: ['maintenance'] }],
    [['maintenance', ''], { names: ['hosts'] }],
    [['maintenance', 'n1', ''], { words: ['on', 'off'] }],
    [['maintenance', '--reason', 'x', 'n1', 'of'], { words: ['off'] }],
    [['start', ''], { names: ['machines'] }],
    [['migrate', 'web', '--to', ''], { names: ['hosts'] }],
    [['logs', ''], { names: ['machines', 'hosts'] }],
    [['logs', 'n1', '--unit', 'o'], { words: ['ovs'] }],
    [['top', '--so'], { words: ['--sort'] }],
    [['top', '-o', 'y'], { words: ['yaml'] }],
    [['top', '-n', ''], { names: ['namespaces'] }],
    [['ha', 'con'], { words: ['confirm-off'] }],
    [['ha', 'dry-run', ''], { words: ['on', 'off'] }],
    [['ovs', 'show', ''], { names: ['hosts'] }],
    [['image', 'import', ''], { isFile: true }],
    [['start', '--kubeconfig', ''], { isFile: true }],
    [['backu'], { words: ['backup'] }],
    [['backup', ''], { isFile: true }],
    [['backup', 'x', '--con'], { words: ['--context'] }],
    [['up', '--no-e'], { words: ['--no-events'] }],
    [['nonsense', 'x', ''], {}],
    [['complete-w'], {}],
  ])('after %j', (words, expected) => {
    expect(decideCompletion(root, words)).toEqual({ words: [], names: [], isFile: false, ...expected });
  });
});

describe('a script', () => {
  it.each(['bash', 'zsh', 'fish'] as const)('for %s calls the hidden command', (shell) => {
    expect(completionScript(shell)).toContain('smalt complete-words --');
  });

  it('works in bash', () => {
    const script = `smalt() { printf '%s\\n' start stop; }
${completionScript('bash')}
COMP_WORDS=(smalt sta); COMP_CWORD=1; _smalt_complete; echo "\${COMPREPLY[@]}"`;

    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8' });

    expect([stdout, stderr]).toEqual(['start\n', '']);
  });
});

// Debian has them in packages of their own names, which nothing else here needs.
describe.each([
  {
    shell: 'zsh',
    flags: ['-f', '-c'],
    before: `smalt() { printf '%s\\n' start stop; }
compdef() { :; }
compadd() { print -rl -- "\${(@P)2}"; }
`,
    ask: 'words=(smalt sta); CURRENT=2; _smalt',
    expected: 'start\nstop\n',
  },
  {
    shell: 'fish',
    flags: ['--no-config', '-c'],
    before: `function smalt; printf '%s\\n' start stop; end
`,
    ask: "complete -C 'smalt sta'",
    expected: 'start\n',
  },
] as const)('the script for $shell', ({ shell, flags, before, ask, expected }) => {
  it.skipIf(!isInstalled(shell))('works where that is installed', () => {
    const script = `${before}${completionScript(shell)}\n${ask}\n`;

    const { stdout, stderr } = spawnSync(shell, [...flags, script], { encoding: 'utf8' });

    expect([stdout, stderr]).toEqual([expected, '']);
  });
});

describe('with a cluster', () => {
  let bed: CliBed;

  beforeAll(async () => {
    bed = await startCliBed();
    await bed.machine('web');
    await bed.machine('worker');
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it.each([
    [['start', 'w'], 'web\nworker\n'],
    [['logs', ''], 'web\nworker\nn1\n'],
    [['start', '-n', 'other', ''], ''],
    [['image', 'import', ''], ':files\n'],
    [['start', '--kubeconfig=/none', 'w'], ''],
  ])('%j gives %j', async (words, text) => {
    const program = bed.program();

    await runComplete(program, root, words);

    expect(program.printed()).toBe(text);
  });
});

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0;
}
