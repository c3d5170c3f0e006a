import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';

import { hostNames, toPem, writeAlternativeNames, writeSubject } from '@smalt/x509';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { resourceAttributes } from '../authorization/authorizer.ts';
import { CertificateAuthority, makeAuthority } from './certificate-authority.ts';
import { checkRequestedSubject, checkSignerAccess, withRequester } from './check-certificate-request.ts';
import { IdentityError, isSignerRefusal } from './identity-error.ts';
import { signRequest, SIGNERS } from './sign-request.ts';
import { readAlternativeNames } from './x509/alternative-names.ts';
import { parseCertificateRequest } from './x509/certificate-request.ts';
import { readDer } from './x509/read-der.ts';
import { readSubject, subjectOfCertificate } from './x509/subject.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const AUTHORITY = new CertificateAuthority(makeAuthority('test', NOW));
const CLIENT_USAGES = ['digital signature', 'key encipherment', 'client auth'];
const SERVER_USAGES = ['digital signature', 'server auth'];
const NODE = '/O=system:nodes/CN=system:node:n1';

describe('signRequest', () => {
  it.each(['ec -pkeyopt ec_paramgen_curve:P-256', 'rsa:2048', 'ed25519'])(
    'signs what openssl asks for with a key of the kind %s',
    (keyKind) => {
      const pem = opensslRequest('/O=devs/O=ops/CN=ada', { keyKind });

      const certificate = sign(pem, { signerName: SIGNERS.client, usages: CLIENT_USAGES });

      expect(subjectOfCertificate(certificate.raw)).toEqual({ commonName: 'ada', organizations: ['devs', 'ops'] });
      expect(certificate.verify(new X509Certificate(AUTHORITY.certificate).publicKey)).toBe(true);
      expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
      expect(certificate.ca).toBe(false);
    },
  );

  it.each([
    { expirationSeconds: undefined, end: '2027-06-01T11:55:00.000Z' },
    { expirationSeconds: 3_600, end: '2026-06-01T13:00:00.000Z' },
    { expirationSeconds: 1, end: '2026-06-01T12:10:00.000Z' },
    { expirationSeconds: 10 * 365 * 86_400, end: '2027-06-01T11:55:00.000Z' },
    { expirationSeconds: 86_400, end: '2026-06-02T11:55:00.000Z' },
  ])('makes a certificate end at $end when asked for $expirationSeconds seconds', ({ expirationSeconds, end }) => {
    const certificate = sign(opensslRequest('/CN=ada'), {
      signerName: SIGNERS.client,
      usages: ['client auth'],
      expirationSeconds,
    });

    expect(certificate.validToDate.toISOString()).toBe(end);
    expect(certificate.validFromDate.toISOString()).toBe('2026-06-01T11:55:00.000Z');
  });

  it('keeps the names that a node asks for', () => {
    const pem = opensslRequest(NODE, { names: 'DNS:n1.example,IP:10.0.0.1,IP:fd00::1' });

    const certificate = sign(pem, { signerName: SIGNERS.kubeletServing, usages: SERVER_USAGES });

    expect(certificate.subjectAltName).toBe('DNS:n1.example, IP Address:10.0.0.1, IP Address:FD00:0:0:0:0:0:0:1');
  });

  it.each([
    {
      signerName: SIGNERS.client,
      usages: ['server auth'],
      message: 'invalid usage for client certificate: server auth',
    },
    {
      signerName: SIGNERS.client,
      usages: ['digital signature'],
      message: 'missing required usage for client certificate: client auth',
    },
    {
      signerName: SIGNERS.kubeletClient,
      subject: '/CN=system:node:n',
      message: 'subject organization is not system:nodes',
    },
    {
      signerName: SIGNERS.kubeletClient,
      subject: '/O=system:nodes/CN=n',
      message: 'subject common name does not begin with system:node:',
    },
    { signerName: SIGNERS.kubeletClient, names: 'DNS:a', message: 'DNS subjectAltNames are not allowed' },
    { signerName: SIGNERS.kubeletClient, names: 'IP:1.2.3.4', message: 'IP subjectAltNames are not allowed' },
    { signerName: SIGNERS.kubeletClient, names: 'email:a@b', message: 'Email subjectAltNames are not allowed' },
    { signerName: SIGNERS.kubeletClient, names: 'URI:http://a', message: 'URI subjectAltNames are not allowed' },
    {
      signerName: SIGNERS.kubeletClient,
      usages: SERVER_USAGES,
      message: 'usages did not match [client auth digital signature key encipherment]',
    },
    { signerName: SIGNERS.kubeletServing, usages: SERVER_USAGES, message: 'DNS or IP subjectAltName is required' },
    { signerName: 'example.com/own', message: 'unrecognized signerName: "example.com/own"' },
  ])('refuses for $signerName: $message', ({ signerName, subject = NODE, names, usages = CLIENT_USAGES, message }) => {
    const pem = opensslRequest(subject, names === undefined ? {} : { names });

    const failure = failureOf(() => sign(pem, { signerName, usages }));

    expect(failure).toEqual(new IdentityError('signer-refused', message));
    expect(isSignerRefusal(failure)).toBe(true);
  });

  it('signs nothing after its own end', () => {
    const pem = opensslRequest('/CN=ada');
    const options = { signerName: SIGNERS.client, usages: ['client auth'], now: new Date('2050-01-01T00:00:00Z') };

    expect(() => signRequest(AUTHORITY, pem, options)).toThrow('the signer has expired');
  });
});

describe('parseCertificateRequest', () => {
  it('refuses a request whose content was changed after it was signed', () => {
    const pem = opensslRequest('/CN=ada');
    const bytes = Buffer.from(pem.replaceAll(/-----.*-----/g, ''), 'base64');
    bytes.write('bob', bytes.indexOf('ada'));

    expect(() => parseCertificateRequest(toPem('CERTIFICATE REQUEST', bytes))).toThrow(
      'unable to verify certificate request signature',
    );
  });

  it.each(['', 'x', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])('refuses %j', (pem) => {
    expect(() => parseCertificateRequest(pem)).toThrow('PEM block type must be CERTIFICATE REQUEST');
  });

  // Nothing signs the tag of the whole request, so no signature tells that it is wrong.
  it.each([0x31, 0x02, 0xb0, 0x00])('refuses a request that begins with the tag %i and is sound otherwise', (tag) => {
    const bytes = Buffer.from(opensslRequest(NODE).replaceAll(/-----.*-----/g, ''), 'base64');
    bytes.writeUInt8(tag, 0);

    expect(() => parseCertificateRequest(toPem('CERTIFICATE REQUEST', bytes))).toThrow(
      'what was sent has the wrong type',
    );
  });

  it('answers every damage with an error of its own', () => {
    const bytes = Buffer.from(opensslRequest(NODE, { names: 'DNS:a' }).replaceAll(/-----.*-----/g, ''), 'base64');
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), fc.nat(), (position, change, cut) => {
        const length = position + 1 + (cut % (bytes.length - position));
        const damaged = Buffer.from(bytes.subarray(0, length));
        damaged.writeUInt8(damaged.readUInt8(position) ^ change, position);
        expect(failureOf(() => parseCertificateRequest(toPem('CERTIFICATE REQUEST', damaged)))).toBeInstanceOf(
          IdentityError,
        );
      }),
    );
  });
});

describe('what is written into certificates', () => {
  it('is a subject that reads back unchanged', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), (commonName, organizations) => {
        const subject = { commonName, organizations };
        expect(readSubject(readDer(writeSubject(subject)))).toEqual(subject);
      }),
    );
  });

  it('is a list of addresses that reads back unchanged', () => {
    const ipAddresses = ['1.2.3.4', '0:0:0:0:0:0:0:1', 'fd00:0:0:0:0:0:0:a', '0:0:0:0:0:ffff:102:304'];
    const written = writeAlternativeNames(hostNames(['1.2.3.4', '::1', 'fd00::a', '::ffff:1.2.3.4']));

    expect(readAlternativeNames(readDer(written ?? Buffer.of())).ipAddresses).toEqual(ipAddresses);
  });
});

describe('checkRequestedSubject', () => {
  it('refuses to make somebody a member of system:masters', () => {
    expect(() => checkRequestedSubject(request('/O=system:masters/CN=eve', SIGNERS.client))).toThrow(
      'certificatesigningrequests.certificates.k8s.io "r" is forbidden: use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed',
    );
  });

  it('lets other subjects and other signers pass', () => {
    const passing = [request('/O=devs/CN=ada', SIGNERS.client), request('/O=system:masters/CN=eve', 'example.com/own')];

    expect(passing.map((each) => failureOf(() => checkRequestedSubject(each)))).toEqual([undefined, undefined]);
  });
});

it('writes down who asked, whatever they say', () => {
  const forged = { spec: { signerName: 'x', username: 'root', uid: '0', groups: ['system:masters'] } };

  expect(withRequester(forged, { name: 'ada', groups: ['devs'], extra: {} })).toEqual({
    spec: { signerName: 'x', username: 'ada', groups: ['devs'] },
  });
});

describe('checkSignerAccess', () => {
  it.each(['kubernetes.io/kube-apiserver-client', 'kubernetes.io/*'])(
    'lets those approve who may for %s',
    (allowedName) => {
      const authorizer = {
        authorize: (_user: unknown, { name }: { name: string }) => ({ allowed: name === allowedName, reason: '' }),
      };

      const asked = request('/CN=a', SIGNERS.client);

      const failure = failureOf(() =>
        checkSignerAccess(authorizer, { name: 'ada', groups: [], extra: {} }, 'approve', asked),
      );

      expect(failure).toBeUndefined();
    },
  );

  it('refuses everybody else', () => {
    const asked: unknown[] = [];
    const authorizer = {
      authorize: (_user: unknown, attributes: object) => (asked.push(attributes), { allowed: false, reason: '' }),
    };

    expect(() =>
      checkSignerAccess(
        authorizer,
        { name: 'ada', groups: [], extra: {} },
        'approve',
        request('/CN=a', SIGNERS.client),
      ),
    ).toThrow('user not permitted to approve requests with signerName "kubernetes.io/kube-apiserver-client"');
    expect(asked[0]).toEqual(
      resourceAttributes({
        verb: 'approve',
        group: 'certificates.k8s.io',
        version: '*',
        resource: 'signers',
        name: SIGNERS.client,
      }),
    );
  });
});

function sign(
  pem: string,
  options: {
    readonly signerName: string;
    readonly usages: readonly string[];
    readonly expirationSeconds?: number | undefined;
  },
): X509Certificate {
  return new X509Certificate(signRequest(AUTHORITY, pem, { ...options, now: NOW }));
}

function request(subject: string, signerName: string) {
  return {
    metadata: { name: 'r' },
    spec: { signerName, request: Buffer.from(opensslRequest(subject)).toString('base64') },
  };
}

function opensslRequest(
  subject: string,
  {
    keyKind = 'ec -pkeyopt ec_paramgen_curve:P-256',
    names = '',
  }: { readonly keyKind?: string; readonly names?: string } = {},
): string {
  const extension = names === '' ? [] : ['-addext', `subjectAltName=${names}`];
  const parameters = [
    'req',
    '-new',
    '-nodes',
    '-newkey',
    ...keyKind.split(' '),
    '-keyout',
    '/dev/null',
    '-subj',
    subject,
  ];
  return execFileSync('openssl', [...parameters, ...extension], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function failureOf(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}
