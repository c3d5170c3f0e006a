import { expect, it } from 'vitest';

import { parseAddress, printAddress } from './parse-address.ts';

it.each([
  { text: '127.0.0.1:6443', address: { host: '127.0.0.1', port: 6443 } },
  { text: 'localhost:0', address: { host: 'localhost', port: 0 } },
  { text: '[::1]:65535', address: { host: '::1', port: 65_535 } },
])('reads $text and prints it again', ({ text, address }) => {
  const read = parseAddress(text, '--listen');

  expect(read).toEqual(address);
  expect(printAddress(read)).toBe(text);
});

it('reads an address of IPv6 without brackets, as $(HOST_IP):9177 of a pod becomes', () => {
  expect(parseAddress('fd00::1:9177', '--listen')).toEqual({ host: 'fd00::1', port: 9177 });
});

it.each([
  '',
  '127.0.0.1',
  ':6443',
  '127.0.0.1:',
  '127.0.0.1:65536',
  '::1',
  'fd00::1',
  'fd00::1:65536',
  '1:2:3:4:5:6:7:8',
  'a:1:2',
  '[::1]',
  '[name]:1',
  'a b:1',
  'a:1x',
])('refuses "%s" and says where it stands', (text) => {
  expect(() => parseAddress(text, '--listen')).toThrow(
    `--listen must be an address and a port from 0 to 65535, such as 127.0.0.1:6443 or [::1]:6443, not "${text}"`,
  );
});
