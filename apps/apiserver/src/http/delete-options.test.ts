import { describe, expect, it } from 'vitest';

import { deleteOptionsFromBody, deleteOptionsFromQuery } from './delete-options.ts';

describe('deleteOptionsFromBody', () => {
  it.each([
    { body: {}, options: { isDryRun: false } },
    { body: { propagationPolicy: 'Foreground' }, options: { isDryRun: false, propagationPolicy: 'Foreground' } },
    { body: { orphanDependents: true }, options: { isDryRun: false, propagationPolicy: 'Orphan' } },
    { body: { orphanDependents: false }, options: { isDryRun: false, propagationPolicy: 'Background' } },
    { body: { gracePeriodSeconds: 0, dryRun: ['All'] }, options: { isDryRun: true, gracePeriodSeconds: 0 } },
    {
      body: { preconditions: { uid: 'u', resourceVersion: '7' } },
      options: { isDryRun: false, preconditions: { uid: 'u', resourceVersion: '7' } },
    },
  ])('reads $body', ({ body, options }) => {
    expect(deleteOptionsFromBody(body)).toEqual(options);
  });

  it.each([
    {
      body: { propagationPolicy: 'Never' },
      text: 'propagationPolicy: Unsupported value: "Never": supported values: "Foreground", "Background", "Orphan", "nil"',
    },
    {
      body: { propagationPolicy: 'Orphan', orphanDependents: true },
      text: 'orphanDependents and deletionPropagation cannot be both set',
    },
    { body: { dryRun: ['Some'] }, text: 'dryRun: Unsupported value: ["Some"]: supported values: "All"' },
    {
      body: { gracePeriodSeconds: 'x' },
      text: 'json: cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds of type int64',
    },
  ])('refuses $body', ({ body, text }) => {
    expect(() => deleteOptionsFromBody(body)).toThrow(text);
  });
});

it('reads the same from a query', () => {
  const query = new URLSearchParams('gracePeriodSeconds=5&propagationPolicy=Background&dryRun=All');

  expect(deleteOptionsFromQuery(query)).toEqual({
    isDryRun: true,
    gracePeriodSeconds: 5,
    propagationPolicy: 'Background',
  });
});
