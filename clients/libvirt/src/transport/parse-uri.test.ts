import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLibvirtError } from '../libvirt-error.ts';
import { parseLibvirtUri } from './parse-uri.ts';

describe('parseLibvirtUri', () => {
  it.each([
    ['qemu+tcp://host:16599/system', { kind: 'tcp', host: 'host', port: 16599 }, 'qemu:///system'],
    ['qemu+tcp://host/system', { kind: 'tcp', host: 'host', port: 16509 }, 'qemu:///system'],
    ['qemu+tcp://host:/system', { kind: 'tcp', host: 'host', port: 16509 }, 'qemu:///system'],
    ['qemu+TCP://host/system', { kind: 'tcp', host: 'host', port: 16509 }, 'qemu:///system'],
    ['qemu+tcp:///system', { kind: 'tcp', host: 'localhost', port: 16509 }, 'qemu:///system'],
    ['ch+tcp://10.0.0.7/system', { kind: 'tcp', host: '10.0.0.7', port: 16509 }, 'ch:///system'],
    ['test+tcp://host:5000/default', { kind: 'tcp', host: 'host', port: 5000 }, 'test:///default'],
    ['test+tcp://host/etc/node%20one.xml', { kind: 'tcp', host: 'host', port: 16509 }, 'test:///etc/node%20one.xml'],
    ['qemu+tcp://[fe80::1]:77/system', { kind: 'tcp', host: 'fe80::1', port: 77 }, 'qemu:///system'],
    ['qemu+tcp://[fe80::1%25eth0]/system', { kind: 'tcp', host: 'fe80::1%eth0', port: 16509 }, 'qemu:///system'],
    ['qemu://host/system', { kind: 'tls', host: 'host', port: 16514, verify: true }, 'qemu:///system'],
    ['qemu+tls://host/system', { kind: 'tls', host: 'host', port: 16514, verify: true }, 'qemu:///system'],
    [
      'qemu+tls://host/system?pkipath=/etc/my%20pki&no_verify=1',
      { kind: 'tls', host: 'host', port: 16514, verify: false, pkiPath: '/etc/my pki' },
      'qemu:///system',
    ],
    ['qemu+tls://host/system?no_verify=0', { kind: 'tls', host: 'host', port: 16514, verify: true }, 'qemu:///system'],
    ['lxc+unix:///?socket=/opt/sock', { kind: 'unix', socketPaths: ['/opt/sock'] }, 'lxc:///'],
    [
      'qemu:///system',
      { kind: 'unix', socketPaths: ['/run/libvirt/virtqemud-sock', '/run/libvirt/libvirt-sock'] },
      'qemu:///system',
    ],
    ['qemu+unix:///system?mode=legacy', { kind: 'unix', socketPaths: ['/run/libvirt/libvirt-sock'] }, 'qemu:///system'],
    ['qemu:///system?mode=direct', { kind: 'unix', socketPaths: ['/run/libvirt/virtqemud-sock'] }, 'qemu:///system'],
    ['remote+unix:///', { kind: 'unix', socketPaths: ['/run/libvirt/libvirt-sock'] }, ''],
    ['remote+tcp://host/', { kind: 'tcp', host: 'host', port: 16509 }, ''],
  ])('reads %s', (uri, endpoint, driverUri) => {
    expect(parseLibvirtUri(uri)).toEqual({ endpoint, driverUri });
  });

  it('takes the read-only sockets when asked to', () => {
    const target = parseLibvirtUri('qemu:///system', { isReadOnly: true });

    expect(target.endpoint).toEqual({
      kind: 'unix',
      socketPaths: ['/run/libvirt/virtqemud-sock-ro', '/run/libvirt/libvirt-sock-ro'],
    });
  });

  it("finds a user's own daemon in the run-time directory it is given, which has no read-only socket", () => {
    const target = parseLibvirtUri('qemu:///session', { runtimeDirectory: '/run/user/1000/', isReadOnly: true });

    expect(target.endpoint).toEqual({
      kind: 'unix',
      socketPaths: ['/run/user/1000/libvirt/virtqemud-sock', '/run/user/1000/libvirt/libvirt-sock'],
    });
  });

  it('keeps the parameters it does not know for the driver, and drops those it uses up', () => {
    const target = parseLibvirtUri('test+tcp://host/default?No_Verify=1&a=1%262&mode=auto&b;netcat=nc;c=x%20y#part');

    expect(target.driverUri).toBe('test:///default?a=1%262&b=&c=x%20y#part');
  });

  it('hands on the name that the URI gives in place of its own', () => {
    const target = parseLibvirtUri('qemu+tcp://host/system?name=test:///default&x=1');

    expect(target.driverUri).toBe('test:///default');
  });

  it('reads the user name and the wanted kind of authentication', () => {
    const target = parseLibvirtUri('qemu+tls://alice%40example.org@host/system?auth=sasl.SCRAM-SHA-256');

    expect(target).toMatchObject({
      username: 'alice@example.org',
      auth: 'sasl.SCRAM-SHA-256',
      endpoint: { host: 'host' },
      driverUri: 'qemu:///system',
    });
  });

  it.each([
    ['', 'begin with a driver'],
    ['/run/libvirt/libvirt-sock', 'begin with a driver'],
    ['+tcp://host/system', 'begin with a driver'],
    ['qemu:system', "the path 'system' must begin with '/'"],
    ['qemu+tcp://ho st/system', 'white space'],
    ['qemu+ssh://root@host/system', "transport 'ssh'"],
    ['qemu+libssh2://root@host/system', "transport 'libssh2'"],
    ['qemu+ext:///system?command=/bin/x', "transport 'ext'"],
    ['qemu+http://host/system', "transport 'http' is not known: supported are tcp, tls and unix"],
    ['qemu+://host/system', "transport '' is not known"],
    ['qemu+tcp://host:99999/system', "the port '99999'"],
    ['qemu+tcp://host:12x/system', "the port '12x'"],
    ['qemu+tcp://::1/system', 'an IPv6 address is written in brackets'],
    ['qemu+tcp://[::zz]/system', "'::zz' is not an IPv6 address"],
    ['qemu+tcp://ho%24st/system', "the host 'ho$st'"],
    ['qemu+tcp://host/a%zz', "the path holds a '%'"],
    ['qemu+tls://host/system?pkipath=pki', "parameter 'pkipath' must be an absolute path, but is 'pki'"],
    ['qemu+tls://host/system?no_verify=yes', "parameter 'no_verify' must be 0 or 1, but is 'yes'"],
    ['qemu+tls://host/system?tls_priority=NORMAL', "parameter 'tls_priority'"],
    ['qemu+unix://host/system', "the host 'host' cannot be reached over the transport 'unix'"],
    ['qemu+unix://:5/system', 'the port has no meaning'],
    ['qemu:///system?mode=both', "parameter 'mode' must be auto, direct or legacy, but is 'both'"],
    ['remote:///?mode=direct', "needs a driver in place of 'remote'"],
    ['qemu+unix:///system?socket=sock', "parameter 'socket' must be an absolute path"],
    ['qemu:///session', 'options.runtimeDirectory'],
    ['qemu+tcp://host/system?auth=kerberos', "parameter 'auth' must be sasl, sasl.MECHANISM or polkit"],
    ['qemu+tcp://@host/system', "the user name in front of '@' is empty"],
  ])('refuses %s and says what is wrong', (uri, message) => {
    expect(() => parseLibvirtUri(uri)).toThrow(
      expect.objectContaining({ code: 'invalid-uri', message: expect.stringContaining(message) }),
    );
  });

  it('refuses a password in the URI without repeating it', () => {
    expect(() => parseLibvirtUri('qemu+tls://alice:hunter2@host/system')).toThrow(
      expect.objectContaining({ code: 'invalid-uri', message: expect.not.stringContaining('hunter2') }),
    );
  });

  it('reads back every URI that is put together from its parts', () => {
    fc.assert(
      fc.property(uriParts(), (parts) => {
        const { driver, kind, host, port, path, username, parameters } = parts;
        const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
        const authority = `${encodeURIComponent(username)}@${host.includes(':') ? `[${host}]` : host}:${port}`;

        const target = parseLibvirtUri(`${driver}+${kind}://${authority}${path}?${query}`);

        expect(target).toMatchObject({ username, endpoint: { kind, host, port } });
        const [base = '', keptQuery = ''] = target.driverUri.split('?');
        expect(base).toBe(`${driver}://${path}`);
        expect([...new URLSearchParams(keptQuery.replaceAll('+', '%2B'))]).toEqual(parameters);
      }),
    );
  });

  it('either understands a text or refuses it with invalid-uri, whatever the text', () => {
    const pieces = fc.constantFrom(
      'qemu',
      '+',
      'tcp',
      'tls',
      '://',
      '/',
      '[',
      '::1',
      ']',
      '%',
      '%41',
      '@',
      ':',
      '?',
      '&',
      '=',
      'mode',
      ';',
      '#',
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(pieces, fc.string({ maxLength: 3, unit: 'binary' })), { maxLength: 12 }),
        (parts) => {
          expect(outcomeOf(parts.join(''))).toMatch(/^(unix|tcp|tls|invalid-uri)$/);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

function outcomeOf(uri: string): string {
  try {
    return parseLibvirtUri(uri).endpoint.kind;
  } catch (error) {
    return isLibvirtError(error) ? error.code : String(error);
  }
}

function uriParts(): fc.Arbitrary<{
  driver: string;
  kind: 'tcp' | 'tls';
  host: string;
  port: number;
  path: string;
  username: string;
  parameters: [string, string][];
}> {
  return fc.record({
    driver: fc.constantFrom('qemu', 'ch', 'test', 'lxc', 'xen'),
    kind: fc.constantFrom('tcp' as const, 'tls' as const),
    host: fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6()),
    port: fc.integer({ min: 1, max: 65_535 }),
    path: fc.webPath().filter((path) => path.startsWith('/')),
    username: fc.string({ minLength: 1, unit: 'grapheme' }),
    parameters: fc.array(fc.tuple(fc.stringMatching(/^x_[a-z]{1,8}$/), fc.string({ unit: 'grapheme' })), {
      maxLength: 4,
    }),
  });
}
