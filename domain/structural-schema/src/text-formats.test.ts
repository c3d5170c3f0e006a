import { describe, expect, it } from 'vitest';

import { findFormat } from './text-formats.ts';

describe('formats of texts', () => {
  it.each([
    {
      format: 'date-time',
      good: ['2026-01-01T00:00:00Z', '2026-01-01t00:00:00.123+01:00'],
      bad: ['', '2026-01-01', '2026-02-30T00:00:00Z', '2026-01-01T24:00:00Z'],
    },
    { format: 'date', good: ['2024-02-29'], bad: ['2023-02-29', '2023-13-01', '23-01-01'] },
    {
      format: 'duration',
      good: ['1h30m', '0', '1.5s', '3 days', '-2ms', '1 week'],
      bad: ['', '1', 'h', '1 fortnight'],
    },
    {
      format: 'uuid',
      good: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'],
      bad: ['123e4567'],
    },
    { format: 'uuid4', good: ['123e4567-e89b-42d3-a456-426614174000'], bad: ['123e4567-e89b-12d3-a456-426614174000'] },
    { format: 'ipv4', good: ['1.2.3.4', '01.2.3.4', '::ffff:1.2.3.4'], bad: ['1.2.3', '1.2.3.256', '::1'] },
    { format: 'ipv6', good: ['::1', 'fe80::1'], bad: ['1.2.3.4', 'fe80::1%eth0', ':::'] },
    { format: 'cidr', good: ['10.0.0.0/8', 'fd00::/64'], bad: ['10.0.0.0', '10.0.0.0/33', 'fd00::/129'] },
    {
      format: 'mac',
      good: ['02:00:00:00:00:01', '02-00-00-00-00-01', '0200.0000.0001'],
      bad: ['02:00:00', '02:00-00:00:00:01'],
    },
    {
      format: 'uri',
      good: ['http://a/b?c', '/path', 'urn:x', 'https://user:p@h:1/'],
      bad: ['', 'a/b', 'http://a b', 'http://a/%zz', 'http://h:x/'],
    },
    { format: 'email', good: ['a@b', 'A B <a@b.c>', '"x y"@b'], bad: ['', 'a', 'a@', '@b', 'a b@c'] },
    {
      format: 'hostname',
      good: ['a', 'a-b.example.com', 'grün.example'],
      bad: ['', '-a', 'a..b', `${'a'.repeat(64)}.com`],
    },
    { format: 'byte', good: ['YQ==', 'YWJj'], bad: ['', 'YQ', 'Y!=='] },
    { format: 'bsonobjectid', good: ['507f1f77bcf86cd799439011'], bad: ['507f'] },
    { format: 'isbn', good: ['0321751043', '978-0321751041'], bad: ['0321751044', '978-0321751042'] },
    { format: 'creditcard', good: ['4111 1111 1111 1111'], bad: ['4111 1111 1111 1112'] },
    { format: 'ssn', good: ['123-45-6789'], bad: ['123456789'] },
    { format: 'hexcolor', good: ['#fff', 'A0A0A0'], bad: ['#ffff'] },
    { format: 'rgbcolor', good: ['rgb(0, 255,7)'], bad: ['rgb(256,0,0)'] },
    { format: 'password', good: ['', 'x'], bad: [] },
    { format: 'k8s-short-name', good: ['a-b'], bad: ['a.b', 'A'] },
    { format: 'k8s-long-name', good: ['a.b'], bad: ['a..b'] },
  ])('$format', ({ format, good, bad }) => {
    const accepts = findFormat(format);

    expect(good.filter((text) => accepts?.(text) !== true)).toEqual([]);
    expect(bad.filter((text) => accepts?.(text) !== false)).toEqual([]);
  });

  it('does not know formats that Kubernetes does not check', () => {
    expect(findFormat('quantity')).toBeUndefined();
  });
});
