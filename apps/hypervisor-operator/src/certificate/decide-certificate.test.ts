import { describe, expect, it } from 'vitest';

import { testHypervisor, testNode, type NodeParts } from '../fixtures/fleet-objects.ts';
import { defaultCertificateSettings, type CertificateSettings } from './certificate-settings.ts';
import { certificateTrouble, decideCertificate, needsCertificate } from './decide-certificate.ts';

const VIRT_DRIVER = { 'nova.openstack.cloud.sap/virt-driver': 'kvm' };

describe('decideCertificate', () => {
  it('asks for what libvirt and its clients need', () => {
    const node = testNode('n1', {
      addresses: [
        ['InternalIP', '10.0.0.1'],
        ['Hostname', 'n1'],
      ],
    });

    expect(decideCertificate(node, defaultCertificateSettings)).toEqual({
      name: 'libvirt-n1',
      namespace: 'monsoon3',
      fields: {
        metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'uid-of-n1' }] },
        spec: {
          secretName: 'tls-libvirt-n1',
          commonName: 'n1',
          dnsNames: ['n1'],
          ipAddresses: ['10.0.0.1'],
          subject: { organizations: ['nova'] },
          privateKey: { algorithm: 'RSA', encoding: 'PKCS1', size: 4096 },
          duration: '1128h0m0s',
          renewBefore: '888h0m0s',
          isCA: false,
          usages: ['server auth', 'client auth', 'digital signature', 'key encipherment'],
          issuerRef: { name: 'nova-hypervisor-agents-ca-issuer', kind: 'Issuer', group: 'cert-manager.io' },
        },
      },
    });
  });

  it.each<{
    what: string;
    addresses: NodeParts['addresses'];
    names: readonly string[];
    ips: readonly string[];
  }>([
    { what: 'no addresses', addresses: [], names: ['n1'], ips: [] },
    {
      what: 'empty addresses',
      addresses: [
        ['InternalIP', ''],
        ['Hostname', ''],
        ['InternalDNS', ''],
      ],
      names: ['n1'],
      ips: [],
    },
    {
      what: 'names of all types, some twice',
      addresses: [
        ['InternalDNS', 'z.example'],
        ['Hostname', 'n1'],
        ['ExternalDNS', 'a.example'],
        ['ExternalDNS', 'z.example'],
      ],
      names: ['a.example', 'n1', 'z.example'],
      ips: [],
    },
    {
      what: 'addresses of both families, some twice',
      addresses: [
        ['InternalIP', 'fd00::1'],
        ['ExternalIP', '192.0.2.1'],
        ['InternalIP', '10.0.0.1'],
        ['ExternalIP', '10.0.0.1'],
      ],
      names: ['n1'],
      ips: ['10.0.0.1', '192.0.2.1', 'fd00::1'],
    },
    { what: 'types nobody knows', addresses: [['Rack', '7']], names: ['n1'], ips: [] },
  ])('covers $what', ({ addresses = [], names, ips }) => {
    const spec = specOf(testNode('n1', { addresses }));

    expect(spec['dnsNames']).toEqual(names);
    expect(spec['ipAddresses']).toEqual(ips);
  });

  it.each([
    { length: 64, commonName: 'n'.repeat(64) },
    { length: 65, commonName: undefined },
  ])('has a common name of $length characters: $commonName', ({ length, commonName }) => {
    const name = 'n'.repeat(length);

    const spec = specOf(testNode(name));

    expect(spec['commonName']).toBe(commonName);
    expect(spec['dnsNames']).toEqual([name]);
  });

  it.each<{ settings: Partial<CertificateSettings>; spec: object }>([
    {
      settings: { isCertSign: true },
      spec: { usages: ['server auth', 'client auth', 'cert sign', 'digital signature', 'key encipherment'] },
    },
    {
      settings: { keyAlgorithm: 'ECDSA', keySize: 256 },
      spec: { privateKey: { algorithm: 'ECDSA', encoding: 'PKCS8', size: 256 } },
    },
    { settings: { keyAlgorithm: 'Ed25519' }, spec: { privateKey: { algorithm: 'Ed25519', encoding: 'PKCS8' } } },
    { settings: { durationMs: 5_430_000 }, spec: { duration: '1h30m30s' } },
    { settings: { issuerKind: 'ClusterIssuer' }, spec: { issuerRef: { kind: 'ClusterIssuer' } } },
  ])('heeds $settings', ({ settings, spec }) => {
    expect(specOf(testNode('n1'), settings)).toMatchObject(spec);
  });
});

it.each([
  { what: 'a node that runs virtual machines', labels: VIRT_DRIVER, asks: false, needs: true },
  { what: 'any other node', labels: {}, asks: false, needs: false },
  { what: 'a node whose hypervisor asks for it', labels: {}, asks: true, needs: true },
])('is there for $what: $needs', ({ labels, asks, needs }) => {
  const hypervisor = testHypervisor('n1', { spec: { createCertManagerCertificate: asks } });

  expect(needsCertificate(testNode('n1', { labels }), hypervisor)).toBe(needs);
});

it('is there for a node that runs virtual machines and has no hypervisor yet', () => {
  expect(needsCertificate(testNode('n1', { labels: VIRT_DRIVER }), undefined)).toBe(true);
});

function specOf(
  node: ReturnType<typeof testNode>,
  settings: Partial<CertificateSettings> = {},
): Readonly<Record<string, unknown>> {
  return Object(decideCertificate(node, { ...defaultCertificateSettings, ...settings }).fields['spec']);
}

it.each([
  { length: 241, trouble: undefined },
  { length: 242, trouble: expect.stringContaining('Node names may have 241 characters') },
])('says whether a name of $length characters is too long for a Secret', ({ length, trouble }) => {
  expect(certificateTrouble(testNode('n'.repeat(length)))).toEqual(trouble);
});
