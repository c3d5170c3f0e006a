import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { imageCommand } from './image-command.ts';
import type { ImageProgram } from './run-image-command.ts';

let directory: Awaited<ReturnType<typeof mkdtempDisposable>>;

beforeEach(async () => {
  directory = await mkdtempDisposable('/var/tmp/smalt-image-');
  await writeFile(at('disk.img'), Buffer.alloc(3 << 20, 'x'));
});

afterEach(() => directory.remove());

describe('smalt image', () => {
  it('imports an image, lists it and removes it', async () => {
    const imported = await run('import', at('disk.img'), 'demo:1');
    const listed = await run('list');
    const removed = await run('remove', 'demo:1');
    const empty = await run('list');

    expect(imported.output).toMatch(
      /^NAME +FORMAT +SIZE +DISK +AGE +DIGEST\ndemo:1 +raw +3 MiB +3 MiB +0m +sha256:\w{12}\n$/,
    );
    expect(listed.output).toBe(imported.output);
    expect(removed.output).toBe('demo:1 is removed\n');
    expect(empty.output).toContain('smalt image build-demo');
  });

  it('imports a kernel with what it starts with', async () => {
    await writeFile(at('initrd.img'), 'initial');

    const { output } = await run('import-kernel', at('disk.img'), 'linux', '--initrd', at('initrd.img'));

    expect(output).toMatch(/\nlinux:latest +kernel +3 MiB /);
  });

  it('prints JSON', async () => {
    await run('import', at('disk.img'), 'demo');

    const { output } = await run('list', '-o', 'json');

    expect(JSON.parse(output)).toMatchObject([{ reference: 'demo:latest', format: 'raw', sizeBytes: 3 << 20 }]);
  });

  it('shows how far an import is on a terminal, and nothing of it elsewhere', async () => {
    const shown = await run({ isTerminal: true }, 'import', at('disk.img'), 'demo');
    const silent = await run('import', at('disk.img'), 'demo');

    expect(shown.errors).toMatch(/importing 1 MiB of 3 MiB, 33 %/);
    expect(silent.errors).toBe('');
  });

  it.each([
    [['import', 'missing.img', 'demo'], 'unreadable-file'],
    [['import', 'disk.img', 'No Name'], 'invalid-reference'],
    [['remove', 'demo'], 'image-not-found'],
    [['build-demo', 'demo', '--word', 'fly'], 'wrong-use'],
  ])('refuses %j in one sentence', async ([command = '', ...words], code) => {
    const paths = words.map((word) => (word.endsWith('.img') ? at(word) : word));

    await expect(run(command, ...paths)).rejects.toMatchObject({ code });
  });

  it('makes a demo that is a disk with a boot record, and leaves nothing else', { timeout: 60_000 }, async () => {
    const { output } = await run('build-demo', '-o', 'json', '--word', 'tick');

    expect(JSON.parse(output)).toMatchObject([{ reference: 'demo:latest', format: 'raw', sizeBytes: 64 << 20 }]);
    expect((await readdir(at('images'))).toSorted()).toEqual(['blobs', 'incoming', 'names', 'users']);
  });
});

function at(path: string): string {
  return join(directory.path, path);
}

interface Printed {
  readonly output: string;
  readonly errors: string;
}

async function run(...words: readonly (string | { readonly isTerminal: boolean })[]): Promise<Printed> {
  const isTerminal = words.some((word) => typeof word === 'object' && word.isTerminal);
  let output = '';
  let errors = '';
  let time = Date.now();
  const program: ImageProgram = {
    output: { write: (text) => (output += text) },
    errors: { isTerminal, write: (text) => (errors += text) },
    signal: AbortSignal.timeout(50_000),
    // Each look at the clock is a second later, so every step of progress is shown.
    now: () => new Date(isTerminal ? (time += 1000) : time),
  };
  const command = new Command('smalt').addCommand(imageCommand(() => program));
  const texts = words.filter((word) => typeof word === 'string');
  await command.parseAsync(['image', ...texts, '--images', at('images')], { from: 'user' });
  return { output, errors };
}
