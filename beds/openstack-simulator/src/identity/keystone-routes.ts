import type { JsonObject } from '@smalt/json';

import { listIn, objectIn, textIn } from '../read-json.ts';
import type { Answer, Routes, ServiceRequest } from '../router.ts';
import type { SimulatedService } from '../simulated-openstack.ts';
import { refusal } from '../simulator-error.ts';
import { PASSWORD, type IdentityBooks, type Project, type Session, type User } from './identity-books.ts';

const REGION = 'RegionOne';
const SERVICE_NAMES = new Map([
  ['identity', 'keystone'],
  ['compute', 'nova'],
  ['image', 'glance'],
  ['network', 'neutron'],
]);

type Endpoints = Readonly<Record<SimulatedService, string>>;

/** What Keystone answers. */
export function keystoneRoutes(books: IdentityBooks, endpoints: () => Endpoints): Routes {
  return {
    'GET /': ({ baseUrl }) => ({ status: 200, body: { version: versionDocument(baseUrl) } }),
    'POST /auth/tokens': (request) => logIn(books, endpoints(), request),
    'GET /auth/tokens': (request) => ({ status: 200, body: tokenDocument(request.session, endpoints()) }),
  };
}

export function versionDocument(url: string): JsonObject {
  return { id: 'v3.14', status: 'stable', updated: '2020-04-07T00:00:00Z', links: [{ rel: 'self', href: `${url}/` }] };
}

function logIn(books: IdentityBooks, endpoints: Endpoints, { body, query }: ServiceRequest): Answer {
  const auth = objectIn(body, 'auth');
  const user = findUser(books, objectIn(auth, 'identity'));
  const project = findProject(books, objectIn(objectIn(auth, 'scope'), 'project'));
  if (user === undefined || project === undefined) throw unauthorized();
  if (!user.roles.includes('admin') && project.name !== 'test') throw unauthorized();
  const { token, session } = books.admit(user, project);
  const document = tokenDocument(session, query.has('nocatalog') ? undefined : endpoints);
  return { status: 201, body: document, headers: { 'X-Subject-Token': token, Vary: 'X-Auth-Token' } };
}

function findUser(books: IdentityBooks, identity: JsonObject): User | undefined {
  const methods = listIn(identity, 'methods');
  if (methods.includes('token')) return books.session(textIn(objectIn(identity, 'token'), 'id') ?? '')?.user;
  if (methods.includes('application_credential')) {
    const credential = objectIn(identity, 'application_credential');
    return textIn(credential, 'secret') === PASSWORD ? books.user(({ name }) => name === 'admin') : undefined;
  }
  const user = objectIn(objectIn(identity, 'password'), 'user');
  if (textIn(user, 'password') !== PASSWORD) return undefined;
  return books.user(({ id, name }) => name === textIn(user, 'name') || id === textIn(user, 'id'));
}

function findProject(books: IdentityBooks, wanted: JsonObject): Project | undefined {
  const id = textIn(wanted, 'id');
  if (id !== undefined) return books.project((project) => project.id === id);
  const name = textIn(wanted, 'name') ?? 'admin';
  const domain = objectIn(wanted, 'domain');
  const domainName = textIn(domain, 'id') ?? textIn(domain, 'name') ?? 'default';
  return books.project((project) => {
    const { id: domainId, name: nameOfDomain } = project.domain;
    return project.name === name && (domainId === domainName || nameOfDomain === domainName);
  });
}

function tokenDocument({ user, project, expiresAt }: Session, endpoints: Endpoints | undefined): JsonObject {
  return {
    token: {
      methods: ['password'],
      user: { domain: { id: 'default', name: 'Default' }, id: user.id, name: user.name, password_expires_at: null },
      audit_ids: [user.id.slice(0, 22)],
      expires_at: timeText(expiresAt),
      issued_at: timeText(Date.now()),
      project: { domain: { ...project.domain }, id: project.id, name: project.name },
      is_domain: false,
      roles: user.roles.map((name) => ({ id: `role-${name}`, name })),
      ...(endpoints !== undefined && { catalog: catalog(endpoints) }),
    },
  };
}

function catalog(endpoints: Endpoints): readonly JsonObject[] {
  return Object.entries(endpoints).map(([type, url]) => ({
    id: `service-${type}`,
    type,
    name: SERVICE_NAMES.get(type) ?? type,
    endpoints: ['public', 'internal', 'admin'].map((kind) => ({
      id: `${type}-${kind}`,
      interface: kind,
      region: REGION,
      region_id: REGION,
      url,
    })),
  }));
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '000Z');
}

export function unauthorized(): Error {
  return refusal(401, 'The request you have made requires authentication.');
}
