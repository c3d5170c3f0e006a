import { describe, expect, it } from 'vitest';

import { parseWriteOptions } from './write-options.ts';

describe('parseWriteOptions', () => {
  it.each([
    { query: '', options: { isDryRun: false, fieldManager: 'kubectl', fieldValidation: 'Warn' } },
    { query: 'fieldManager=me&fieldValidation=Strict', options: { fieldManager: 'me', fieldValidation: 'Strict' } },
    { query: 'dryRun=All', options: { isDryRun: true } },
    { query: 'fieldValidation=', options: { fieldValidation: 'Warn' } },
  ])('reads $query', ({ query, options }) => {
    expect(parseWriteOptions(new URLSearchParams(query), 'kubectl/v1.33.1 (linux)', 'CreateOptions')).toMatchObject(
      options,
    );
  });

  it.each([
    {
      query: 'dryRun=Some',
      text: 'CreateOptions.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"',
    },
    {
      query: 'fieldValidation=Loose',
      text: 'fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
    },
    { query: `fieldManager=${'x'.repeat(129)}`, text: 'fieldManager: Too long: may not be more than 128 bytes' },
    { query: 'fieldManager=a%07b', text: 'invalid character U+0007 (at position 1)' },
  ])('refuses $query with 422', ({ query, text }) => {
    const parse = (): unknown => parseWriteOptions(new URLSearchParams(query), undefined, 'CreateOptions');

    expect(parse).toThrow(expect.objectContaining({ code: 'Invalid', message: expect.stringContaining(text) }));
  });
});
