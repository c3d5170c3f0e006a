import { X509Certificate } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { renewCertificate } from './certificate-contents.ts';
import { planNodeCertificates, type Node, type SecretWish } from './plan-node-certificates.ts';
import type { Secret } from './secret-place.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-01-01T00:00:00Z');
const owner = 'smalt-libvirt';
const authority = renewCertificate(undefined, 'renew-authority', { owner, names: [owner], now: NOW });

describe('planNodeCertificates', () => {
  it('gives a node one in its name and its addresses, to show and to be shown, without the key of the authority', () => {
    const [wish] = plan([node('n1', '10.0.0.1')], []);
    const certificate = new X509Certificate(textOf(wish, 'tls.crt'));

    expect(Object.keys(wish?.data ?? {})).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
    expect(certificate.subjectAltName).toBe('DNS:n1, IP Address:10.0.0.1');
    expect(certificate.keyUsage).toHaveLength(2);
    expect(certificate.verify(new X509Certificate(authority.authorities).publicKey)).toBe(true);
  });

  it.each([
    { what: 'nothing has changed', nodes: [node('n1', '10.0.0.1')], day: 0, wanted: [] },
    { what: 'it has a month left', nodes: [node('n1', '10.0.0.1')], day: 59, wanted: [] },
    { what: 'it has less', nodes: [node('n1', '10.0.0.1')], day: 61, wanted: ['n1'] },
    { what: 'the node has another address', nodes: [node('n1', '10.0.0.9')], day: 0, wanted: ['n1'] },
    { what: 'another node is new', nodes: [node('n1', '10.0.0.1'), node('n2', '10.0.0.2')], day: 0, wanted: ['n2'] },
    { what: 'the node is gone', nodes: [], day: 0, wanted: [] },
  ])('makes $wanted anew where $what', ({ nodes, day, wanted }) => {
    const known = plan([node('n1', '10.0.0.1')], []).map(secretOf);

    const wishes = plan(nodes, known, day);

    expect(wishes.map((wish) => wish.node.metadata.name)).toEqual(wanted);
  });

  it('replaces what another authority has signed, and what nobody can read', () => {
    const other = renewCertificate(undefined, 'renew-authority', { owner, names: [owner], now: NOW });
    const [foreign] = planNodeCertificates([node('n1', '10.0.0.1')], [], other, { owner, now: NOW }).map(secretOf);
    const broken = secret('tls-libvirt-n1', { 'tls.crt': 'AAAA' });

    for (const known of [foreign, broken]) {
      expect(plan([node('n1', '10.0.0.1')], known === undefined ? [] : [known])).toMatchObject([{ known }]);
    }
  });
});

function plan(nodes: readonly Node[], secrets: readonly Secret[], day = 0): readonly SecretWish[] {
  return planNodeCertificates(nodes, secrets, authority, { owner, now: new Date(NOW.getTime() + day * DAY_MS) });
}

function node(name: string, address: string): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    status: { addresses: [{ type: 'InternalIP', address }] },
  };
}

function secretOf({ node: { metadata }, data }: SecretWish): Secret {
  return secret(`tls-libvirt-${metadata.name}`, data);
}

function secret(name: string, data: Readonly<Record<string, string>>): Secret {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data };
}

function textOf(wish: SecretWish | undefined, key: string): string {
  return Buffer.from(wish?.data[key] ?? '', 'base64').toString('utf8');
}
