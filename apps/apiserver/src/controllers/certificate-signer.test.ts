import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';

import type { JsonObject } from '@smalt/json';
import { expect, it } from 'vitest';

import { CertificateAuthority, makeAuthority } from '../identity/certificate-authority.ts';
import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import { approveRequest } from './certificate-approval.ts';
import { CertificateSigner } from './certificate-signer.ts';
import { openWorld, type World } from './fixtures/open-world.ts';

const run = promisify(execFile);

it('signs a request once it is approved, and not before', async () => {
  await using world = await openWorld();
  await using signer = new CertificateSigner(world.deps, authorityAt(world));
  await world.create(await request('jane', ['client auth']));
  await settle(world, signer);
  const before = objectAt((await world.get('CertificateSigningRequest', 'jane')) ?? {}, 'status')['certificate'];

  await approve(world, 'jane');
  await settle(world, signer);

  const status = objectAt((await world.get('CertificateSigningRequest', 'jane')) ?? {}, 'status');
  const certificate = new X509Certificate(Buffer.from(textAt(status, 'certificate'), 'base64'));
  expect(before).toBeUndefined();
  expect(certificate.subject).toBe('CN=jane');
});

it('says why it does not sign', async () => {
  await using world = await openWorld();
  await using signer = new CertificateSigner(world.deps, authorityAt(world));
  await world.create(await request('jane', ['server auth']));

  await approve(world, 'jane');
  await settle(world, signer);

  const status = objectAt((await world.get('CertificateSigningRequest', 'jane')) ?? {}, 'status');
  expect(objectsAt(status, 'conditions').at(-1)).toMatchObject({
    type: 'Failed',
    reason: 'SignerValidationFailure',
    message: 'invalid usage for client certificate: server auth',
  });
});

it('refuses to take an approval back', async () => {
  await using world = await openWorld();
  await world.create(await request('jane', ['client auth']));
  await approve(world, 'jane');

  await expect(approve(world, 'jane', [])).rejects.toThrow('updates may not remove a condition of type "Approved"');
});

async function approve(
  world: World,
  name: string,
  conditions: readonly JsonObject[] = [{ type: 'Approved', status: 'True' }],
): Promise<void> {
  const live = (await world.get('CertificateSigningRequest', name)) ?? {};
  await approveRequest(world.deps.store, {
    requests: world.resource('CertificateSigningRequest'),
    name,
    revise: () => ({ ...live, status: { conditions } }),
    mutate: (wanted) => Promise.resolve(wanted),
    validate: () => Promise.resolve(),
    dryRun: false,
    now: world.clock.now,
  });
}

async function settle(world: World, signer: CertificateSigner): Promise<void> {
  for (;;) {
    await signer.idle();
    const settled = world.deps.store.settled();
    if (settled === undefined) break;
    await settled;
  }
  expect(world.failures).toEqual([]);
}

function authorityAt(world: World): CertificateAuthority {
  return new CertificateAuthority(makeAuthority('test', new Date(world.clock.now)));
}

async function request(name: string, usages: readonly string[]): Promise<JsonObject> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '/dev/null'];
  const { stdout } = await run('openssl', ['req', '-new', ...key, '-subj', `/CN=${name}`]);
  const spec = {
    request: Buffer.from(stdout).toString('base64'),
    signerName: 'kubernetes.io/kube-apiserver-client',
    usages,
  };
  return { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name }, spec };
}
