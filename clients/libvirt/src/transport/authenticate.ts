import { randomBytes } from 'node:crypto';
import { isLibvirtError, LibvirtError } from '../libvirt-error.ts';
import { describeEndpoint, type LibvirtTarget } from './libvirt-target.ts';
import { authenticateWithSasl, type SaslCalls } from './sasl/authenticate-with-sasl.ts';
import { chooseMechanism } from './sasl/choose-mechanism.ts';
import type { Credentials } from './sasl/sasl-mechanism.ts';

/** The kinds of authentication, as the daemon numbers them. */
const AUTH_TYPES = { 0: 'none', 1: 'sasl', 2: 'polkit' } as const;
const NONCE_BYTES = 24;

export type AuthType = (typeof AUTH_TYPES)[keyof typeof AUTH_TYPES];

/** The procedures of libvirt's authentication. They are the only ones a daemon serves before it knows the client. */
export interface AuthenticationCalls extends SaslCalls {
  authList(): Promise<readonly number[]>;
  /** The names of the mechanisms, separated by commas. */
  authSaslInit(): Promise<string>;
  authPolkit(): Promise<unknown>;
}

/** How the client proves who it is. */
export interface AuthenticateOptions {
  /** For SASL. The user name may also stand in the URI: `qemu+tls://alice@host/system`. */
  readonly credentials?: { readonly username?: string; readonly password: string } | undefined;
  /** A fresh random text for every exchange. */
  readonly createNonce?: () => string;
}

/** Does what the daemon asks for before the first real call. No error ever quotes a password. */
export async function authenticate(
  calls: AuthenticationCalls,
  target: LibvirtTarget,
  options: AuthenticateOptions = {},
): Promise<void> {
  const type = chooseAuthType(await calls.authList(), target);
  if (type === 'none') return;
  try {
    await (type === 'sasl' ? useSasl(calls, target, options) : usePolkit(calls, target));
  } catch (error) {
    throw explainRefusal(error, type, target);
  }
}

/** Takes the first kind in the daemon's list that this client has, or the one the URI insists on. */
export function chooseAuthType(types: readonly number[], target: LibvirtTarget): AuthType {
  const wanted = target.auth?.toLowerCase().split('.')[0];
  const known = types.map(authTypeOf).filter((type) => type !== undefined);
  // A daemon that lists nothing asks for nothing.
  if (types.length === 0) return 'none';
  const chosen = wanted === undefined ? known[0] : known.find((type) => type === wanted);
  if (chosen !== undefined) return chosen;
  const insisted = wanted === undefined ? '' : `, and the URI insists on ${wanted}`;
  throw new LibvirtError(
    'authentication',
    `${describeEndpoint(target.endpoint)}: the daemon asks for authentication of type ` +
      `${types.map((type) => authTypeOf(type) ?? type).join(' or ')}, this client has none, sasl and polkit${insisted}`,
  );
}

function authTypeOf(type: number): AuthType | undefined {
  return type === 0 || type === 1 || type === 2 ? AUTH_TYPES[type] : undefined;
}

async function useSasl(calls: AuthenticationCalls, target: LibvirtTarget, options: AuthenticateOptions): Promise<void> {
  if (target.endpoint.kind === 'tcp') {
    throw new LibvirtError(
      'authentication',
      `${describeEndpoint(target.endpoint)}: the daemon asks for SASL on a connection that is not encrypted; use +tls`,
    );
  }
  const credentials = credentialsOf(target, options);
  const mechanism = chooseMechanism({
    offered: await calls.authSaslInit(),
    wanted: target.auth?.split('.')[1],
    isPrivate: target.endpoint.kind !== 'tls' || target.endpoint.verify,
    credentials,
    nonce: (options.createNonce ?? randomNonce)(),
  });
  await authenticateWithSasl(calls, mechanism);
}

async function usePolkit(calls: AuthenticationCalls, target: LibvirtTarget): Promise<void> {
  if (target.endpoint.kind !== 'unix') {
    throw new LibvirtError(
      'authentication',
      `${describeEndpoint(target.endpoint)}: the daemon asks for polkit, which works on its own machine only; ` +
        'use the unix socket there, or set auth_tls or auth_tcp in the configuration of the daemon',
    );
  }
  await calls.authPolkit();
}

function credentialsOf(target: LibvirtTarget, { credentials }: AuthenticateOptions): Credentials {
  const username = credentials?.username ?? target.username;
  if (credentials === undefined || username === undefined) {
    const missing = credentials === undefined ? 'options.credentials' : 'options.credentials.username';
    throw new LibvirtError(
      'authentication',
      `${describeEndpoint(target.endpoint)}: the daemon asks for a user name and a password (SASL): pass ${missing}`,
    );
  }
  return { username, password: credentials.password };
}

// A daemon that says no answers with an error of its own; what broke on the way stays what it is.
function explainRefusal(error: unknown, type: AuthType, target: LibvirtTarget): unknown {
  if (!isLibvirtError(error) || error.number === undefined) return error;
  const hint = type === 'sasl' ? 'check the user name and the password' : 'polkit does not allow it to this user';
  const message = `${describeEndpoint(target.endpoint)}: the daemon refused the ${type} authentication: ${hint} (${error.message})`;
  return new LibvirtError('authentication', message, { cause: error, number: error.number, domain: error.domain });
}

function randomNonce(): string {
  return randomBytes(NONCE_BYTES).toString('base64url');
}
