import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { describe, expect, it } from 'vitest';

import { generateSources } from './generate-sources.ts';
import { parseConstants } from './parse-constants.ts';
import { parseParameterSets } from './parse-parameter-sets.ts';
import { parseWireSchema } from './parse-wire-schema.ts';
import { readSchema, type Schema } from './read-schema.ts';
import { staleSources } from './stale-sources.ts';

const GENERATED = new URL('../src/generated/', import.meta.url);

describe('generateSources', () => {
  it('gives what is in src/generated', async () => {
    const sources = generateSources(await readSchema());

    expect(await staleSources(GENERATED, sources)).toEqual([]);
  });

  it('gives the same text every time', async () => {
    const schema = await readSchema();

    expect(generateSources(schema)).toEqual(generateSources(schema));
  });

  it('refuses typed parameters of a set that is not there', () => {
    const schema = schemaOf('call 1 domainSet\n  > params parameters[4]:Gone');

    expect(() => generateSources(schema)).toThrow('domainSet: there is no set Gone of typed parameters');
  });

  it('refuses arguments of a type that only daemons send', () => {
    const schema = schemaOf('call 1 domainSet\n  > label text[4]');

    expect(() => generateSources(schema)).toThrow('text is never sent by a client');
  });
});

describe('staleSources', () => {
  it('names files that are missing or different', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'smalt-generate-'));
    await writeFile(join(folder.path, 'same.gen.ts'), 'same');
    await writeFile(join(folder.path, 'other.gen.ts'), 'old');
    const sources = new Map(['same', 'other', 'gone'].map((name) => [`${name}.gen.ts`, name]));

    const stale = await staleSources(pathToFileURL(`${folder.path}/`), sources);

    expect(stale).toEqual(['other.gen.ts', 'gone.gen.ts']);
  });
});

function schemaOf(text: string): Schema {
  return {
    wire: parseWireSchema([{ file: 'test.schema', text }]),
    parameterSets: parseParameterSets({ file: 'test.schema', text: '' }),
    constants: parseConstants({ file: 'test.schema', text: '' }),
  };
}
