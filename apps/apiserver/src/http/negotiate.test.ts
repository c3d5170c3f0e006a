import { describe, expect, it } from 'vitest';

import { negotiate, wantsPretty } from './negotiate.ts';

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

describe('negotiate', () => {
  it.each([
    { accept: undefined, choice: { format: 'json', transform: undefined } },
    { accept: '*/*', choice: { format: 'json' } },
    { accept: 'application/*', choice: { format: 'json' } },
    { accept: 'application/yaml', choice: { format: 'yaml' } },
    { accept: `${PROTOBUF},application/json`, choice: { format: 'protobuf' } },
    { accept: 'application/json;q=0.5, application/yaml', choice: { format: 'yaml' } },
    { accept: 'text/html, application/json;pretty=1', choice: { format: 'json', isPretty: true } },
    { accept: 'application/json;stream=watch', choice: { format: 'json' } },
    { accept: `${TABLE},application/json`, choice: { transform: { kind: 'Table', version: 'v1' } } },
    {
      accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1',
      choice: { transform: { kind: 'PartialObjectMetadataList', version: 'v1beta1' } },
    },
    { accept: 'application/json;as=Cake;g=meta.k8s.io;v=v1,application/json', choice: { transform: undefined } },
    {
      accept: `${PROTOBUF};as=Table;v=v1;g=meta.k8s.io,${TABLE}`,
      choice: { format: 'json', transform: { kind: 'Table' } },
    },
  ])('chooses $choice for $accept', ({ accept, choice }) => {
    expect(negotiate(accept, { hasProtobuf: true, hasTransforms: true })).toMatchObject(choice);
  });

  it('passes over protobuf for a kind that has none', () => {
    const choice = negotiate(`${PROTOBUF},application/json`, { hasProtobuf: false, hasTransforms: true });

    expect(choice.format).toBe('json');
  });

  it.each(['text/html', PROTOBUF, 'application/json;as=Table;v=v9;g=meta.k8s.io'])('refuses %s with 406', (accept) => {
    expect(() => negotiate(accept, { hasProtobuf: false, hasTransforms: true })).toThrow(
      'only the following media types are accepted: application/json, application/yaml',
    );
  });
});

describe('wantsPretty', () => {
  it.each([
    { query: '', userAgent: 'curl/8.0', isPretty: true },
    { query: '', userAgent: 'kubectl/v1.33', isPretty: false },
    { query: 'pretty=true', userAgent: undefined, isPretty: true },
    { query: 'pretty=false', userAgent: 'curl/8.0', isPretty: false },
    { query: '', userAgent: undefined, isPretty: false },
  ])('is $isPretty for $userAgent with $query', ({ query, userAgent, isPretty }) => {
    expect(wantsPretty(new URLSearchParams(query), userAgent)).toBe(isPretty);
  });
});
