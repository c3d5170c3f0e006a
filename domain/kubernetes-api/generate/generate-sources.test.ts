import { readFile } from 'node:fs/promises';

import { describe, expect, it } from 'vitest';

import { checkPackages } from './check-packages.ts';
import { generateSources } from './generate-sources.ts';
import { parseKindsFile } from './parse-kinds-file.ts';
import { readPackages } from './read-packages.ts';

const HEAD = 'package io.example.v1 v1 example.com\n';

describe('a .kinds file', () => {
  it('holds a package, kinds, enums and types', () => {
    const source = parseKindsFile(
      'example',
      `${HEAD}\nkind Gadget gadgets cluster short=g\n\nenum Color "red" ""\n\ntype Gadget\nkind 0 string\ntype 1 string\ncolor 2 string=v1.Color!\n\ntype Part atomic\nname 1 string\n`,
    );

    expect(source).toEqual({
      key: 'example',
      component: 'io.example.v1',
      group: 'example.com',
      version: 'v1',
      kinds: ['Gadget gadgets cluster short=g'],
      enumerations: { Color: ['red', ''] },
      types: {
        Gadget: '\nkind 0 string\ntype 1 string\ncolor 2 string=v1.Color!',
        Part: 'atomic\nname 1 string',
      },
    });
  });

  it.each([
    { text: 'type A\n', complaint: "the first line must be 'package COMPONENT VERSION [GROUP]'" },
    { text: `${HEAD}name 1 string\n`, complaint: "'name 1 string' belongs to no type" },
    { text: `${HEAD}type A\ntype A\n`, complaint: 'type A is declared twice' },
    { text: `${HEAD}type A\na 1 B\n`, complaint: 'x/A.a refers to x/B, which is not declared' },
    { text: `${HEAD}type A\na 1 []{}y/B\n`, complaint: 'x/A.a refers to y/B, which is not declared' },
    { text: `${HEAD}type A\na 1 string=v1.C!\n`, complaint: 'refers to the enum x/C, which is not declared' },
    { text: `${HEAD}type A\na 1 string\nb 1 string\n`, complaint: 'x/A uses a field number twice' },
    { text: `${HEAD}type A\na 1 string\na 2 string\n`, complaint: 'x/A uses a field name twice' },
    { text: `${HEAD}type A\na 1 string sometimes\n`, complaint: 'unknown flag "sometimes"' },
    { text: `${HEAD}type A\na one string\n`, complaint: 'no field number' },
    { text: `${HEAD}kind B bs cluster\n`, complaint: 'x: kind B has no type' },
  ])('is refused: $complaint', ({ text, complaint }) => {
    expect(() => checkPackages([parseKindsFile('x', text)])).toThrow(complaint);
  });
});

it('the generated files are those of the schema', async () => {
  const sources = generateSources(await readPackages());

  for (const [name, text] of sources) {
    expect(await readFile(new URL(`../src/generated/${name}`, import.meta.url), 'utf8')).toBe(text);
  }
});
