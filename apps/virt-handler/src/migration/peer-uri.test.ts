import { findHypervisor } from '@smalt/hypervisors';
import { describe, expect, it } from 'vitest';

import { DEFAULT_PEER_URI, peerUri, plainMigrationWarning } from './peer-uri.ts';

describe('peerUri', () => {
  it.each([
    ['qemu-kvm', DEFAULT_PEER_URI, '192.0.2.2', 'qemu+tls://192.0.2.2/system'],
    ['qemu', 'qemu+tcp://{address}:16510/system', '192.0.2.2', 'qemu+tcp://192.0.2.2:16510/system'],
    ['lxc', DEFAULT_PEER_URI, 'hv2.example', 'lxc+tls://hv2.example/system'],
    ['qemu', DEFAULT_PEER_URI, '2001:db8::2', 'qemu+tls://[2001:db8::2]/system'],
  ])('names the libvirt of a node for %s by %s', (driver, template, address, uri) => {
    expect(peerUri(template, findHypervisor(driver), address)).toBe(uri);
  });

  it('refuses a template that leads every guest to the same place', () => {
    expect(() => peerUri('qemu+tls://hv2/system', findHypervisor('qemu'), '192.0.2.2')).toThrow(
      expect.objectContaining({ code: 'bad-setting', field: 'migration.uri' }),
    );
  });
});

describe('plainMigrationWarning', () => {
  it.each<[string | undefined, boolean]>([
    ['{driver}+tcp://{address}/system', true],
    ['qemu+tcp://{address}:16510/system', true],
    [DEFAULT_PEER_URI, false],
    ['qemu+tls://{address}/system?pkipath=/etc/a+tcp:b', false],
    ['qemu://{address}/system', false],
    [undefined, false],
  ])('of %s is given: %s', (template, isGiven) => {
    const warning = plainMigrationWarning({ peerUri: template });

    expect(warning?.startsWith('migration.uri is plain TCP: ') ?? false).toBe(isGiven);
  });

  it('is not given behind a wall', () => {
    expect(plainMigrationWarning({ peerUri: 'qemu+tcp://{address}/system', isWalled: true })).toBeUndefined();
  });
});
