import type { Secret } from '@smalt/secret';

import type { AnswerReader } from './answer-reader.ts';
import { readCatalog, type CatalogEndpoint } from './catalog.ts';
import type { CloudConfig, CloudIdentity, CloudScope, OwnedReference } from './cloud-config.ts';

/** What Keystone says about who has logged in. */
export interface TokenContent {
  /** How long it is good for, from when it was given; the clocks of both sides need not agree. */
  readonly lifetimeMs: number;
  readonly catalog: readonly CatalogEndpoint[];
  readonly userId: string;
  readonly userName: string;
  /** The project it is good for, if that is its scope. */
  readonly projectId: string | undefined;
  readonly projectName: string | undefined;
  readonly roles: readonly string[];
}

/** A token and what it is good for. */
export interface Token extends TokenContent {
  readonly secret: Secret;
}

type Section = Readonly<Record<string, unknown>>;

/** What Keystone wants to be sent for a token. */
export function loginRequest({ identity, scope }: Pick<CloudConfig, 'identity' | 'scope'>): Section {
  const scoped = scopeRequest(scope);
  return { auth: { identity: identityRequest(identity), ...(scoped !== undefined && { scope: scoped }) } };
}

function identityRequest(identity: CloudIdentity): Section {
  switch (identity.kind) {
    case 'password': {
      const user = { ...ownedRequest(identity.user), password: identity.password.reveal() };
      return { methods: ['password'], password: { user } };
    }
    case 'application-credential': {
      const { credential } = identity;
      const named = 'id' in credential ? credential : { ...credential, user: ownedRequest(credential.user) };
      const secret = identity.secret.reveal();
      return { methods: ['application_credential'], application_credential: { ...named, secret } };
    }
    case 'token':
      return { methods: ['token'], token: { id: identity.token.reveal() } };
  }
}

function scopeRequest(scope: CloudScope): Section | undefined {
  switch (scope.kind) {
    case 'none':
      return undefined;
    case 'project':
      return { project: ownedRequest(scope.project) };
    case 'domain':
      return { domain: scope.domain };
    case 'system':
      return { system: { all: true } };
  }
}

function ownedRequest(reference: OwnedReference): Section {
  return 'id' in reference ? { id: reference.id } : { name: reference.name, domain: reference.domain };
}

/** Reads what came with a token. */
export function readTokenContent(answer: AnswerReader): TokenContent {
  const token = answer.object('token');
  const user = token.object('user');
  const project = token.optionalObject('project');
  const issuedAt = Date.parse(token.optionalTime('issued_at') ?? '');
  // Without an end it is good until a service says otherwise.
  const lifetimeMs = Date.parse(token.optionalTime('expires_at') ?? '') - issuedAt;
  return {
    lifetimeMs: Number.isNaN(lifetimeMs) ? Number.POSITIVE_INFINITY : Math.max(0, lifetimeMs),
    catalog: readCatalog(token.optionalObjects('catalog')),
    userId: user.text('id'),
    userName: user.text('name'),
    projectId: project?.text('id'),
    projectName: project?.text('name'),
    roles: token.optionalObjects('roles').map((role) => role.text('name')),
  };
}
