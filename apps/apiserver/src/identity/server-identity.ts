import { randomBytes, X509Certificate } from 'node:crypto';

import { hostNames, writeAlternativeNames } from '@smalt/x509';

import {
  CertificateAuthority,
  DAY_MS,
  makeAuthority,
  makePrivateKey,
  type KeyAndCertificate,
} from './certificate-authority.ts';
import { IdentityError } from './identity-error.ts';
import { IdentityFiles } from './identity-files.ts';
import { renderKubeconfig } from './kubeconfig.ts';
import { MASTERS_GROUP, type User } from './user.ts';

const SERVING_DAYS = 365;
const ADMIN_DAYS = 365;
const RENEW_BEFORE_DAYS = 60;

/** Who the administrator's certificate and token stand for. */
export const ADMIN_USER: User = { name: 'admin', groups: [MASTERS_GROUP], extra: {} };

export interface ServerIdentityOptions {
  /** Made when it is not there. */
  readonly directory: string;
  /** The names and addresses under which clients reach the server, the host name among them. */
  readonly names: readonly string[];
  readonly now: () => Date;
}

/** What a server is known by: its authority, its certificate, and the credentials of its administrator. */
export class ServerIdentity {
  readonly authority: CertificateAuthority;
  /** In PEM form; service account tokens are signed with it. */
  readonly signingKey: string;
  readonly adminToken: string;
  readonly #files: IdentityFiles;
  readonly #options: ServerIdentityOptions;
  #serving: KeyAndCertificate;
  #admin: KeyAndCertificate;

  constructor(files: IdentityFiles, options: ServerIdentityOptions, content: IdentityContent) {
    this.#files = files;
    this.#options = options;
    this.authority = content.authority;
    this.signingKey = content.signingKey;
    this.adminToken = content.adminToken;
    this.#serving = content.serving;
    this.#admin = content.admin;
  }

  /** What the TLS stack serves; read it again after `renew` said that it has changed. */
  get serving(): KeyAndCertificate {
    return this.#serving;
  }

  /** Makes the certificates anew that end soon, and says whether that of the server was among them. */
  async renew(): Promise<boolean> {
    const now = this.#options.now();
    if (isEnding(this.#admin, now)) this.#admin = await issueAdmin(this.#files, this.authority, now);
    if (!isEnding(this.#serving, now)) return false;
    this.#serving = await issueServing(this.#files, this.authority, this.#options);
    return true;
  }

  /** Writes the administrator's kubeconfig for a server at this address, and returns its path. */
  async writeKubeconfig(server: string): Promise<string> {
    const content = renderKubeconfig({
      server,
      authorityCertificate: this.authority.certificate,
      clientCertificate: this.#admin.certificate,
      clientKey: this.#admin.key,
      userName: ADMIN_USER.name,
    });
    const name = 'admin.kubeconfig';
    if ((await this.#files.read(name)) !== content) await this.#files.write(name, content);
    return this.#files.path(name);
  }
}

interface IdentityContent {
  readonly authority: CertificateAuthority;
  readonly serving: KeyAndCertificate;
  readonly admin: KeyAndCertificate;
  readonly signingKey: string;
  readonly adminToken: string;
}

/**
 * Opens the identity of a server, and makes what is missing of it. The authority and the keys stay the same over
 * restarts; certificates that end soon, or lack a name, are made anew.
 */
export async function openServerIdentity(options: ServerIdentityOptions): Promise<ServerIdentity> {
  const files = new IdentityFiles(options.directory);
  await files.prepare();
  const now = options.now();
  const [authority, signingKey, adminToken] = await Promise.all([
    ensureAuthority(files, now),
    files.readOrWrite('service-account.key', makePrivateKey),
    files.readOrWrite('admin.token', () => randomBytes(32).toString('base64url')),
  ]);
  const [serving, admin] = await Promise.all([
    ensureServing(files, authority, options),
    ensureAdmin(files, authority, now),
  ]);
  return new ServerIdentity(files, options, {
    authority,
    serving,
    admin,
    signingKey,
    adminToken: adminToken.trim(),
  });
}

async function ensureAuthority(files: IdentityFiles, now: Date): Promise<CertificateAuthority> {
  const stored = await files.readPair('ca');
  if (stored === undefined) {
    const made = makeAuthority('smalt', now);
    await files.writePair('ca', made);
    return new CertificateAuthority(made);
  }
  try {
    return new CertificateAuthority(stored);
  } catch (cause) {
    if (cause instanceof IdentityError) throw cause;
    throw new IdentityError('damaged-identity', `${files.path('ca.crt')} or ca.key cannot be read`, { cause });
  }
}

async function ensureServing(
  files: IdentityFiles,
  authority: CertificateAuthority,
  options: ServerIdentityOptions,
): Promise<KeyAndCertificate> {
  const stored = await readUsablePair(files, 'serving', authority);
  if (stored === undefined || isEnding(stored, options.now()) || !coversNames(stored, options.names)) {
    return issueServing(files, authority, options);
  }
  return stored;
}

async function ensureAdmin(
  files: IdentityFiles,
  authority: CertificateAuthority,
  now: Date,
): Promise<KeyAndCertificate> {
  const stored = await readUsablePair(files, 'admin', authority);
  return stored === undefined || isEnding(stored, now) ? issueAdmin(files, authority, now) : stored;
}

async function issueServing(
  files: IdentityFiles,
  authority: CertificateAuthority,
  { names, now }: ServerIdentityOptions,
): Promise<KeyAndCertificate> {
  const pair = authority.issueServing(names, { now: now(), days: SERVING_DAYS });
  await files.writePair('serving', pair);
  return pair;
}

async function issueAdmin(
  files: IdentityFiles,
  authority: CertificateAuthority,
  now: Date,
): Promise<KeyAndCertificate> {
  const subject = { commonName: ADMIN_USER.name, organizations: ADMIN_USER.groups };
  const pair = authority.issueClient(subject, { now, days: ADMIN_DAYS });
  await files.writePair('admin', pair);
  return pair;
}

/** The stored pair, unless it is damaged, of another authority, or its key is of an older certificate. */
async function readUsablePair(
  files: IdentityFiles,
  name: string,
  authority: CertificateAuthority,
): Promise<KeyAndCertificate | undefined> {
  const pair = await files.readPair(name).catch((error: unknown) => {
    if (error instanceof IdentityError) return undefined;
    throw error;
  });
  return pair !== undefined && authority.hasIssued(pair) ? pair : undefined;
}

function isEnding({ certificate }: KeyAndCertificate, now: Date): boolean {
  const { validFromDate, validToDate } = new X509Certificate(certificate);
  return validToDate.getTime() - now.getTime() < RENEW_BEFORE_DAYS * DAY_MS || validFromDate > now;
}

function coversNames({ certificate }: KeyAndCertificate, names: readonly string[]): boolean {
  const wanted = writeAlternativeNames(hostNames(names));
  return wanted === undefined || new X509Certificate(certificate).raw.includes(wanted);
}
