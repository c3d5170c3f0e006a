import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';
import { SettingsFile, startHaService } from '@smalt/ha-service';
import type { Logger } from '@smalt/service-runtime';
import { makeSelfSigned } from '@smalt/x509';

import { SYSTEM_NAMESPACE, type MachineAccounts } from '../virtual-machines/machine-accounts.ts';
import { AGENT_REPORTS, highAvailabilitySettings, type HostPowerPlaces } from './high-availability-settings.ts';

/** The account of node agents, in which the HA agent is. */
export const NODE_AGENT_ACCOUNT = 'smalt-node-agent';
const CERTIFICATE_DAYS = 3_650;
const RENEW_BEFORE_MS = 365 * 86_400_000;

export interface HighAvailabilityOptions {
  /** Holds its store, settings and certificate. */
  readonly directory: string;
  /** The address that agents reach it by, and the port, 0 for any. */
  readonly listen: { readonly host: string; readonly port: number };
  readonly accounts: MachineAccounts;
  readonly power?: HostPowerPlaces | undefined;
  /** What OpenStack's clients read, where the instances are servers of one. */
  readonly cloud?: Readonly<Record<string, string>> | undefined;
  readonly now: () => Date;
  readonly log: Logger;
}

/** The HA service of this machine. Disposing of it stops it in order. */
export interface HighAvailability extends AsyncDisposable {
  readonly url: string;
  /** Who vouches for it: a file with a certificate, and the certificate. */
  readonly authorityFile: string;
  /** What agents report, in a file. */
  readonly reportFile: string;
  readonly ended: Promise<void>;
}

/** Starts the HA service with its store in a directory, and with settings for hosts on one machine. */
export async function startHighAvailability(
  options: HighAvailabilityOptions,
  signal: AbortSignal,
): Promise<HighAvailability> {
  const { directory, listen, accounts, cloud, log } = options;
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const files = await ensureCertificate(options);
  const path = await writeSettings(options, files);
  const reportFile = join(directory, 'reports.yaml');
  await writeFile(reportFile, AGENT_REPORTS);
  const kubeConfig = await accounts.join({ name: 'smalt-ha-service' }, signal);
  const identity = `${hostname()}_${crypto.randomUUID()}`;
  const opened = {
    settings: await SettingsFile.open(path),
    kubeConfig,
    logger: log,
    identity,
    environment: cloud ?? {},
  };
  // Long enough for a busy machine: who loses the lead begins to watch anew.
  const service = await startHaService(
    { ...opened, lease: { leaseMs: 15_000, renewDeadlineMs: 10_000, retryMs: 1_000 } },
    signal,
  );
  return {
    url: `https://${listen.host}:${service.port}`,
    authorityFile: files.certificateFile,
    reportFile,
    ended: service.ended,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

async function writeSettings(
  { directory, listen, power, cloud }: HighAvailabilityOptions,
  files: CertificateFiles,
): Promise<string> {
  const settings = highAvailabilitySettings({
    listen: `${listen.host}:${listen.port}`,
    ...files,
    storePath: join(directory, 'ha.sqlite'),
    namespace: SYSTEM_NAMESPACE,
    agentAccount: NODE_AGENT_ACCOUNT,
    power,
    hasOpenStack: cloud !== undefined,
  });
  const path = join(directory, 'config.yaml');
  // JSON is YAML.
  await writeFile(path, `${JSON.stringify(settings, undefined, 2)}\n`, { mode: 0o600 });
  return path;
}

interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

async function ensureCertificate({ directory, listen, now }: HighAvailabilityOptions): Promise<CertificateFiles> {
  const files = { certificateFile: join(directory, 'tls.crt'), keyFile: join(directory, 'tls.key') };
  if (await isGood(files.certificateFile, listen.host, now())) return files;
  const names = [...new Set(['127.0.0.1', listen.host])];
  const made = makeSelfSigned({ commonName: 'smalt-ha-service', names, now: now(), days: CERTIFICATE_DAYS });
  await writeFileSafely(files.keyFile, made.key);
  await writeFileSafely(files.certificateFile, made.certificate, { mode: 0o644 });
  return files;
}

async function isGood(certificateFile: string, address: string, now: Date): Promise<boolean> {
  try {
    const certificate = new X509Certificate(await readFile(certificateFile));
    const isFresh = certificate.validToDate.getTime() - now.getTime() > RENEW_BEFORE_MS;
    return isFresh && certificate.checkIP(address) !== undefined;
  } catch {
    return false; // Missing or damaged: to be made anew in any case.
  }
}
