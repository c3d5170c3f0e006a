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

it.each(['', '127.0.0.1', ':6443', '127.0.0.1:', '127.0.0.1:65536', '::1:6443', '[::1]', '[name]:1', 'a b:1', 'a:1x'])(
  'refuses "%s" and says where it stands',
  (text) => {
    expect(() => parseAddress(text, '--listen')).toThrow(
      `--listen must be an address and a port from 0 to 65535, such as 127.0.0.1:6443 or [::1]:6443, not "${text}"`,
    );
  },
);
