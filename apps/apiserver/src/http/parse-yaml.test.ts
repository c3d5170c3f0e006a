import { describe, expect, it } from 'vitest';

import { MAX_BODY_DEPTH } from './max-body-depth.ts';
import { parseYaml } from './parse-yaml.ts';

const FAR = MAX_BODY_DEPTH * 20;

describe('parseYaml', () => {
  it.each([
    { what: 'lists in brackets', text: `a: ${'['.repeat(FAR)}${']'.repeat(FAR)}` },
    { what: 'maps in braces', text: `a: ${'{b: '.repeat(FAR)}${'}'.repeat(FAR)}` },
    { what: 'lists on one line', text: `a:\n${'- '.repeat(FAR)}x` },
    { what: 'explicit names on one line', text: `${'? '.repeat(FAR)}x` },
    { what: 'indented maps', text: indentedMaps(MAX_BODY_DEPTH * 2) },
    { what: 'aliases of lists', text: aliases() },
  ])('refuses $what that are nested too deep', ({ text }) => {
    expect(parseYaml(text)).toEqual({ value: null, duplicateFields: [], error: 'exceeded max depth of 500' });
  });

  it.each([
    { what: 'lists in brackets', text: `${'['.repeat(MAX_BODY_DEPTH)}${']'.repeat(MAX_BODY_DEPTH)}` },
    { what: 'indented maps', text: indentedMaps(MAX_BODY_DEPTH) },
  ])('reads $what up to the limit', ({ text }) => {
    const { value, error } = parseYaml(text);

    expect(error).toBeUndefined();
    expect(depthOf(value)).toBe(MAX_BODY_DEPTH);
  });

  it('does not take brackets in text for nesting', () => {
    const brackets = '[{'.repeat(MAX_BODY_DEPTH);
    const text = `plain: a${brackets}\nquoted: "${brackets}"\nblock: |\n  ${brackets}\n# ${brackets}\n`;

    expect(parseYaml(text).value).toEqual({ plain: `a${brackets}`, quoted: brackets, block: `${brackets}\n` });
  });

  it('does not count what stands side by side', () => {
    const text = `items:\n${'- a:\n    b: [1]\n'.repeat(MAX_BODY_DEPTH * 2)}`;

    expect(parseYaml(text).error).toBeUndefined();
  });
});

function indentedMaps(depth: number): string {
  return Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('');
}

// Each anchor holds a list that is shallow enough, with the one before at its bottom.
function aliases(): string {
  const depth = MAX_BODY_DEPTH - 10;
  const nested = (inner: string): string => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;
  return `a: &a ${nested('1')}\nb: &b ${nested('*a')}\n`;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
