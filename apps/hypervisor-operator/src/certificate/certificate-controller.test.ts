import { installDefinitions } from '@smalt/bed-kubernetes';
import { eventKind } from '@smalt/controller-runtime';
import { isNotFound } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { DependentObject } from '../dependents/dependent-object.ts';
import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { makeHost, plainSpec } from '../fixtures/test-hosts.ts';
import { untilObject } from '../fixtures/until-object.ts';
import { certificateKind } from './certificate.ts';
import { createCertificateController } from './certificate-controller.ts';
import { defaultCertificateSettings, type CertificateSettings } from './certificate-settings.ts';

const settings: CertificateSettings = { ...defaultCertificateSettings, namespace: 'certificates', resyncMs: 50 };
const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

describe('the certificate controller', { timeout: 60_000 }, () => {
  let bed: OperatorBed;

  beforeAll(async () => {
    bed = await startOperatorBed({
      cloud: 'none',
      controllers: (context) => [createCertificateController(context, settings)],
    });
    await bed.client.resource(namespaceKind).create({ metadata: { name: 'certificates' } });
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it('waits for cert-manager where that is not installed, without failing', async () => {
    await makeHost(bed, 'early', { addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] });
    await expect.poll(() => bed.metric(LATER)).toBeGreaterThan(2);

    await installDefinitions(bed.client, [certificateDefinition()], AbortSignal.timeout(10_000));
    const certificate = await until('libvirt-early');

    expect(certificate.metadata).toMatchObject({
      namespace: 'certificates',
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'early' }],
      managedFields: [{ manager: 'certificate', operation: 'Apply' }],
    });
    expect(certificate.spec).toMatchObject({ secretName: 'tls-libvirt-early', ipAddresses: ['10.0.0.1'] });
    expect(bed.metricSum('controller_runtime_reconcile_errors_total')).toBe(0);
  });

  it('follows the addresses of a node', async () => {
    await makeHost(bed, 'moved', { addresses: [{ type: 'InternalIP', address: '10.0.0.2' }] });
    await until('libvirt-moved');

    await makeHost(bed, 'moved', { addresses: [{ type: 'InternalIP', address: '10.0.0.3' }] });

    const moved = await until('libvirt-moved', ({ spec }) => String(spec?.['ipAddresses']).includes('10.0.0.3'));
    expect(moved.spec?.['ipAddresses']).toEqual(['10.0.0.3']);
  });

  it('takes addresses out that a node has lost', async () => {
    const name = unique('lost');
    await makeHost(bed, name, { addresses: [{ type: 'InternalIP', address: '10.0.0.4' }] });
    await until(`libvirt-${name}`, ({ spec }) => String(spec?.['ipAddresses']) === '10.0.0.4');

    await makeHost(bed, name, { addresses: [{ type: 'Hostname', address: name }] });

    const { spec } = await until(`libvirt-${name}`, (each) => String(each.spec?.['ipAddresses']) === '');
    expect(spec).toMatchObject({ dnsNames: [name], ipAddresses: [] });
  });

  it('tells of a node whose name is too long, where people look', async () => {
    const name = `${unique('long')}-${'n'.repeat(60)}.${'n'.repeat(60)}.${'n'.repeat(60)}.${'n'.repeat(50)}`;

    await makeHost(bed, name, { labels: { 'kubernetes.io/hostname': 'long' } });

    await expect.poll(() => warningsOf(name), { timeout: 10_000 }).toEqual([expect.stringContaining('too long')]);
    await expect(certificates().get(`libvirt-${name}`, NAMESPACE)).rejects.toSatisfy(isNotFound);
  });

  it('puts right what others changed or deleted', async () => {
    await makeHost(bed, 'mended');
    const first = await until('libvirt-mended');
    await certificates().patch('libvirt-mended', 'merge', { spec: { secretName: 'other' } }, NAMESPACE);

    await until('libvirt-mended', ({ spec }) => spec?.['secretName'] === 'tls-libvirt-mended');
    await certificates().delete('libvirt-mended', NAMESPACE);

    const second = await until('libvirt-mended', ({ metadata }) => metadata.uid !== first.metadata.uid);
    expect(second.spec).toEqual(first.spec);
  });

  it('is for other nodes too when their hypervisor asks for it', async () => {
    await bed.node('plain', {});
    await bed.hypervisors.create({ metadata: { name: 'plain' }, spec: plainSpec() });
    await makeHost(bed, 'before-plain');
    await until('libvirt-before-plain');
    await expect(certificates().get('libvirt-plain', NAMESPACE)).rejects.toSatisfy(isNotFound);

    await bed.hypervisors.patch('plain', 'merge', { spec: { createCertManagerCertificate: true } });

    await until('libvirt-plain');
  });

  it('writes nothing for certificates that are right, also after a restart', async () => {
    await makeHost(bed, 'right');
    const { metadata } = await until('libvirt-right');
    const count = (await certificates().list(NAMESPACE)).items.length;

    await bed.restartOperator();
    await expect.poll(() => bed.metric(DONE)).toBeGreaterThanOrEqual(count);

    const patches = bed.operator.context.metrics
      .expose()
      .split('\n')
      .filter((line) => line.includes('method="PATCH"'));
    expect(patches).toEqual([]);
    expect((await certificates().get('libvirt-right', NAMESPACE)).metadata.resourceVersion).toBe(
      metadata.resourceVersion,
    );
  });

  it('does nothing where it is switched off', async () => {
    await bed.restartOperator({
      controllers: (context) => [createCertificateController(context, { ...settings, when: 'never' })],
    });

    await makeHost(bed, 'off');
    await expect.poll(() => bed.operator.context.nodes.cache.get('off')).toBeDefined();
    await expect.poll(() => bed.metric(DONE)).toBeGreaterThan(0);

    await expect(certificates().get('libvirt-off', NAMESPACE)).rejects.toSatisfy(isNotFound);
  });

  it('tells of a namespace that is not there', async () => {
    const name = unique('homeless');
    const elsewhere = { ...settings, namespace: unique('nowhere') };
    await bed.restartOperator({ controllers: (context) => [createCertificateController(context, elsewhere)] });

    await makeHost(bed, name);

    await expect
      .poll(() => warningsOf(name), { timeout: 10_000 })
      .toEqual([expect.stringContaining(`in the namespace ${elsewhere.namespace}: `)]);
  });

  /** What the events about a node warn of. */
  async function warningsOf(name: string): Promise<readonly string[]> {
    const { items } = await bed.client.resource(eventKind).list({ namespace: 'default' });
    const concerned = items.filter(({ type, involvedObject }) => type === 'Warning' && involvedObject['name'] === name);
    return concerned.map(({ message }) => message);
  }

  function certificates(): ReturnType<typeof bed.client.resource<DependentObject>> {
    return bed.client.resource(certificateKind);
  }

  async function until(
    name: string,
    isWanted: (certificate: DependentObject) => boolean = () => true,
  ): Promise<DependentObject> {
    return await untilObject(certificates(), name, isWanted);
  }
});

const NAMESPACE = { namespace: 'certificates' };
const DONE = 'controller_runtime_reconcile_total{controller="certificate",result="success"}';
const LATER = 'controller_runtime_reconcile_total{controller="certificate",result="requeue_after"}';

function unique(name: string): string {
  return `${name}-${crypto.randomUUID().slice(0, 8)}`;
}

/** The kind of cert-manager, as far as its name goes. */
function certificateDefinition(): Readonly<Record<string, unknown>> {
  const { group, kind, plural, version } = certificateKind;
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: 'certificate', listKind: 'CertificateList' },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
