import { X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { expiryOf, type CertificateState } from './certificate-condition.ts';
import { checkSecret } from './check-secret.ts';
import { MARK_DIRECTORY, MARK_NAME } from './installed-mark.ts';
import { fingerprintOf, type KeyMaterial } from './key-material.ts';
import { PkiDirectory } from './pki-directory.ts';
import { isNothingToDo, type FileOwners } from './plan-installation.ts';
import type { Secret } from './secret.ts';

export interface InstallationSettings {
  /** Below which all files lie. */
  readonly directory: string;
  readonly hostNames: readonly string[];
  readonly owners: FileOwners;
  readonly now: () => Date;
  /** Makes the daemon read the files anew; says why it could not. */
  readonly reload: (signal: AbortSignal) => Promise<string | undefined>;
  /** Told before files change, and before the daemon is told of files that have not changed since. */
  readonly onBegin: (what: 'files' | 'reload') => void;
}

/**
 * Makes the files those of the Secret and the daemon use them, if that is not the case already. A Secret that would not
 * work changes nothing. The files are compared with the Secret themselves, so that a missing or changed one is mended.
 */
export async function installCertificate(
  secret: Secret,
  settings: InstallationSettings,
  signal: AbortSignal,
): Promise<CertificateState> {
  const now = settings.now();
  const verdict = checkSecret(secret, { hostNames: settings.hostNames, now });
  if (verdict.kind === 'bad') return { kind: 'refused', why: `${nameOf(secret)}: ${verdict.why}` };
  const { material, leaf } = verdict;
  const mark = { resourceVersion: secret.metadata.resourceVersion ?? '', fingerprint: fingerprintOf(material) };
  await using directory = await PkiDirectory.open(settings.directory);
  const isNew = await placeFiles(directory, material, settings);
  const known = await directory.readMark();
  if (known?.fingerprint !== mark.fingerprint) {
    if (!isNew) settings.onBegin('reload');
    const why = await settings.reload(signal);
    if (why !== undefined) return { kind: 'not-reloaded', why };
  }
  if (known?.fingerprint !== mark.fingerprint || known.resourceVersion !== mark.resourceVersion) {
    await directory.writeMark(mark);
  }
  return { kind: 'ready', isNew: known?.fingerprint !== mark.fingerprint, expiry: expiryOf(leaf, now) };
}

/** What is the case without a Secret: what was installed before stays. */
export async function describeOrphan(secret: string, directory: string, now: Date): Promise<CertificateState> {
  const isMarked = await stat(join(directory, MARK_DIRECTORY, MARK_NAME)).then(
    () => true,
    () => false,
  );
  // Nothing was ever installed, and nothing is made before it is needed.
  if (!isMarked) return { kind: 'waiting', secret };
  await using pki = await PkiDirectory.open(directory);
  const pem = await pki.readCertificate();
  if (pem === undefined || (await pki.readMark()) === undefined) return { kind: 'waiting', secret };
  return { kind: 'ready', isNew: false, expiry: expiryOf(new X509Certificate(pem), now), orphaned: secret };
}

async function placeFiles(
  directory: PkiDirectory,
  material: KeyMaterial,
  settings: InstallationSettings,
): Promise<boolean> {
  const plan = await directory.plan(material, settings.owners);
  if (isNothingToDo(plan)) return false;
  settings.onBegin('files');
  await directory.carryOut(plan, material, settings.owners, settings.now());
  return true;
}

function nameOf({ metadata }: Secret): string {
  return `Secret ${metadata.namespace ?? ''}/${metadata.name}`;
}
