import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { LibvirtDaemonError } from './error.ts';
import { renderConfig } from './render-config.ts';

describe('renderConfig', () => {
  it('writes every kind of value in the form libvirt reads', () => {
    const text = renderConfig({
      name: 'a b',
      port: 16_509,
      on: true,
      off: false,
      list: ['x', 'y'],
      none: [],
      left: undefined,
    });

    expect(text).toBe('name = "a b"\nport = 16509\non = 1\noff = 0\nlist = [ "x", "y" ]\nnone = [  ]\n');
  });

  it('puts a value with double quotes in single ones', () => {
    expect(renderConfig({ key: 'say "hi"' })).toBe(`key = 'say "hi"'\n`);
  });

  it.each([
    { config: { key: `both " and '` }, field: 'key' },
    { config: { key: 'line\nuser = "root"' }, field: 'key' },
    { config: { key: 'nul\0' }, field: 'key' },
    { config: { list: ['fine', 'not\rfine'] }, field: 'list' },
    { config: { size: 1.5 }, field: 'size' },
    { config: { 'a = 1\nb': 'x' }, field: 'not a key' },
  ])('refuses what libvirt could not read back, naming $field', ({ config, field }) => {
    expect(() => renderConfig(config)).toThrow(field);
    expect(() => renderConfig(config)).toThrow(LibvirtDaemonError);
  });

  it('never lets a value reach beyond its own line', () => {
    const property = fc.property(fc.string(), (value) => {
      const text = renderOrRefuse(value);
      return text === 'refused' || readBack(text) === value;
    });

    expect(() => fc.assert(property)).not.toThrow();
  });
});

function renderOrRefuse(value: string): string {
  try {
    return renderConfig({ key: value });
  } catch (error) {
    if (error instanceof LibvirtDaemonError && error.code === 'invalid-option') return 'refused';
    throw error;
  }
}

/** libvirt's rule: from the quote to the next of its kind, on one line. */
function readBack(text: string): string | undefined {
  return /^key = (["'])([^\r\n]*?)\1\n$/.exec(text)?.[2];
}
