import { describe, expect, it } from 'vitest';

import { operatingSystemStatus } from './operating-system-status.ts';
import { readOsRelease } from './read-os-release.ts';

const gardenLinux = `
ID=gardenlinux
NAME="Garden Linux"
PRETTY_NAME="Garden Linux 1933.0"
VERSION_ID=1933.0
VARIANT_ID=metal-kvm-amd64
GARDENLINUX_VERSION=1933.0
GARDENLINUX_FEATURES=log,sap,ssh,_slim,kvm
GARDENLINUX_COMMIT_ID=0f3a9c1e
GARDENLINUX_COMMIT_ID_LONG=0f3a9c1e5b6d7f8091a2b3c4d5e6f708192a3b4c
`;

describe('operatingSystemStatus', () => {
  it('tells all of a host with Garden Linux and hostnamed', () => {
    const status = operatingSystemStatus({
      osRelease: readOsRelease(gardenLinux),
      hostDescription: {
        operatingSystemPrettyName: 'Garden Linux of the bus',
        kernelName: 'Linux',
        kernelRelease: '6.12.38-amd64',
        kernelVersion: '#1 SMP Debian 6.12.38',
        hardwareVendor: 'Dell Inc.',
        hardwareModel: 'PowerEdge R860',
        hardwareSerial: 'ABC1234',
        firmwareVersion: '2.4.4',
        firmwareVendor: 'Dell Inc.',
        firmwareDate: '2024-09-27T00:00:00.000Z',
      },
      commandLine: ' root=LABEL=ROOT console=ttyS0 \n',
    });

    expect(status).toEqual({
      version: '1933.0',
      variantID: 'metal-kvm-amd64',
      prettyVersion: 'Garden Linux 1933.0',
      kernelName: 'Linux',
      kernelRelease: '6.12.38-amd64',
      kernelVersion: '#1 SMP Debian 6.12.38',
      kernelCommandLine: 'root=LABEL=ROOT console=ttyS0',
      hardwareVendor: 'Dell Inc.',
      hardwareModel: 'PowerEdge R860',
      hardwareSerial: 'ABC1234',
      firmwareVersion: '2.4.4',
      firmwareVendor: 'Dell Inc.',
      firmwareDate: '2024-09-27T00:00:00Z',
      gardenLinuxCommitID: '0f3a9c1e5b6d7f8091a2b3c4d5e6f708192a3b4c',
      gardenLinuxFeatures: ['log', 'sap', 'ssh', '_slim', 'kvm'],
    });
  });

  it.each([
    { name: 'Garden Linux', text: 'VERSION_ID=today\nGARDENLINUX_VERSION=1933.0', version: '1933.0' },
    { name: 'Debian', text: 'VERSION_ID="12"', version: '12' },
    { name: 'Arch', text: 'BUILD_ID=rolling', version: 'rolling' },
    { name: 'an image', text: 'VERSION_ID=\nIMAGE_VERSION=33', version: '33' },
    { name: 'no version', text: 'ID=debian', version: undefined },
  ])('finds the version of $name', ({ text, version }) => {
    expect(operatingSystemStatus({ osRelease: readOsRelease(text) }).version).toBe(version);
  });

  it.each([
    { text: 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME=Debian', pretty: 'Debian GNU/Linux 12 (bookworm)' },
    { text: 'NAME=Debian', pretty: 'Debian' },
    { text: '', pretty: undefined },
  ])('has a name for people from "$text"', ({ text, pretty }) => {
    expect(operatingSystemStatus({ osRelease: readOsRelease(text) }).prettyVersion).toBe(pretty);
  });

  it('asks kernel and firmware where hostnamed has nothing to say', () => {
    const status = operatingSystemStatus({
      hostDescription: { kernelName: 'Linux', hardwareModel: '', hardwareVendor: 'of the bus' },
      kernel: { kernelName: 'other', kernelRelease: '6.1.0' },
      hardware: { hardwareModel: 'Altra', hardwareVendor: 'of the firmware', hardwareSerial: undefined },
    });

    expect(status).toEqual({
      kernelName: 'Linux',
      kernelRelease: '6.1.0',
      hardwareModel: 'Altra',
      hardwareVendor: 'of the bus',
    });
  });

  it('leaves out all that nobody knows', () => {
    expect(operatingSystemStatus({})).toEqual({});
  });
});
