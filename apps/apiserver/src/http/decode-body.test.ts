import { describe, expect, it } from 'vitest';

import { decodeBody, mediaType } from './decode-body.ts';

const EXPECTED = { kind: 'Machine', apiVersion: 'example.dev/v1', acceptsProtobuf: false, isStrict: true };

describe('decodeBody', () => {
  it('finds fields that stand twice in JSON', async () => {
    const body = await decodeBody(Buffer.from('{"a":1,"a":2}'), 'application/json', EXPECTED);

    expect(body).toEqual({ object: { a: 2 }, duplicateFields: ['a'] });
  });

  it('does not look for them when nobody wants to know', async () => {
    const body = await decodeBody(Buffer.from('{"a":1,"a":2}'), undefined, { ...EXPECTED, isStrict: false });

    expect(body.duplicateFields).toEqual([]);
  });

  it('reads YAML, with names and dates as text and integers exact', async () => {
    const yaml = 'on: yes\n1: x\nday: 2020-01-02\ntime: 12:30:00\nbig: 9007199254740993\nlist: [1, 2.5]\n';

    const body = await decodeBody(Buffer.from(yaml), 'application/yaml; charset=utf-8', EXPECTED);

    expect(body.object).toEqual({
      true: true,
      1: 'x',
      day: '2020-01-02',
      time: '12:30:00',
      big: 9007199254740993n,
      list: [1, 2.5],
    });
  });

  it.each([
    {
      type: 'application/json',
      body: '{"a":',
      text: /^the object provided is unrecognized \(must be of type Machine\): couldn't get version\/kind; json parse error: unexpected end of JSON input \(\{"a":\)$/,
    },
    {
      type: 'application/json',
      body: `{"a":${'['.repeat(100_000)}`,
      text: /json parse error: exceeded max depth of 500 \(\{"a":\[/,
    },
    { type: 'application/yaml', body: '- '.repeat(100_000), text: /yaml: exceeded max depth of 500 \(/ },
    { type: 'application/json', body: '[]', text: /json: cannot unmarshal array into Go value of type struct/ },
    { type: 'application/json', body: '{"__proto__":{}}', text: /the field name "__proto__" is not allowed/ },
    { type: 'application/yaml', body: '__proto__: {}', text: /the field name "__proto__" is not allowed/ },
    { type: 'application/yaml', body: 'a: [1', text: /must be of type Machine\): yaml: / },
  ])('refuses $type $body with 400', async ({ type, body, text }) => {
    const attempt = decodeBody(Buffer.from(body), type, EXPECTED);

    await expect(attempt).rejects.toMatchObject({ message: expect.stringMatching(text), status: { code: 400 } });
  });

  it('refuses an unknown type with 415 and says which are known', async () => {
    const attempt = decodeBody(Buffer.from('x'), 'text/plain', EXPECTED);

    await expect(attempt).rejects.toMatchObject({
      message:
        'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      status: { code: 415, reason: 'UnsupportedMediaType' },
    });
  });

  it('refuses protobuf that is not protobuf', async () => {
    const attempt = decodeBody(Buffer.from('k8s?'), 'application/vnd.kubernetes.protobuf', {
      ...EXPECTED,
      acceptsProtobuf: true,
    });

    await expect(attempt).rejects.toMatchObject({ status: { code: 400, reason: 'BadRequest' } });
  });
});

it('takes a body without a type for JSON', () => {
  expect([mediaType(undefined), mediaType(''), mediaType('Application/YAML; a=b')]).toEqual([
    'application/json',
    'application/json',
    'application/yaml',
  ]);
});
