import { expect, it } from 'vitest';

import { checkOptions } from './libvirtd-options.ts';
import type { LibvirtdOptions } from './libvirtd-options.ts';

it.each<{ options: Partial<LibvirtdOptions>; field: string }>([
  { options: { directory: 'relative' }, field: 'directory' },
  { options: { directory: `/${'long/'.repeat(20)}` }, field: 'directory' },
  { options: { hostname: 'two words' }, field: 'hostname' },
  { options: { hostname: '$(reboot)' }, field: 'hostname' },
  { options: { hostUuid: 'none' }, field: 'hostUuid' },
  { options: { address: 'localhost' }, field: 'address' },
  { options: { tcp: { port: 70_000 } }, field: 'tcp.port' },
  { options: { tls: { directory: '/pki', port: -1 } }, field: 'tls.port' },
  { options: { tls: { directory: 'pki' } }, field: 'tls.directory' },
  { options: { sasl: { directory: '/sasl' } }, field: 'sasl' },
  { options: { bindMounts: [{ source: 'a', target: '/b' }] }, field: 'bindMounts.source' },
  { options: { bindMounts: [{ source: '/a', target: 'b' }] }, field: 'bindMounts.target' },
])('refuses a bad $field by name', ({ options, field }) => {
  expect(() => checkOptions({ directory: '/d', ...options })).toThrow(
    expect.objectContaining({ code: 'invalid-option', message: expect.stringMatching(new RegExp(`^${field}: `)) }),
  );
});

it('takes options that can work', () => {
  const options = { directory: '/d', hostname: 'hv-1.example', address: '::1', tcp: { port: 0 } };

  expect(() => checkOptions(options)).not.toThrow();
});
