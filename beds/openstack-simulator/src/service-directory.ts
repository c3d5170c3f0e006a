import type { VersionRange } from './api-version.ts';
import { versionDocument } from './identity/keystone-routes.ts';
import type { Session } from './identity/identity-books.ts';
import type { Answer, Router } from './router.ts';
import type { SimulatedService } from './simulated-openstack.ts';
import { refusal } from './simulator-error.ts';

/** Where a request goes to. */
export interface Found {
  readonly service: string;
  /** The version in its address, if there is one. */
  readonly version: string | undefined;
  /** The path below both, never empty. */
  readonly path: string;
}

export interface ServiceEntry {
  readonly name: SimulatedService;
  readonly router: Router;
  /** None for services without microversions. */
  readonly versions: VersionRange | undefined;
}

const VERSION_PATHS: Readonly<Record<SimulatedService, string>> = {
  identity: '/v3',
  compute: '/v2.1',
  placement: '',
  image: '/v2',
  network: '/v2.0',
};
/** Those that have the version in the catalog; for the others, clients add it. */
const VERSIONED = new Set(['identity', 'compute']);
const COMPUTE_MEDIA_TYPE = 'application/vnd.openstack.compute+json;version=2.1';
const FOR_ADMINISTRATORS = /^[/]os-(services|hypervisors|aggregates|migrations)/;

/** Finds the service that a path belongs to. */
export function findService(pathname: string): Found {
  const [, service = '', version, rest] = /^[/]([^/]*)([/]v[\d.]+)?([/].*)?$/.exec(pathname) ?? [];
  const path = (rest ?? '/').replace(/(?<=.)[/]+$/, '');
  return { service, version, path };
}

/** The services of a cloud and their addresses. */
export class ServiceDirectory {
  readonly #entries: ReadonlyMap<string, ServiceEntry>;
  readonly #url: () => string;

  constructor(entries: readonly ServiceEntry[], url: () => string) {
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
    this.#url = url;
  }

  entry(service: string): ServiceEntry | undefined {
    return this.#entries.get(service);
  }

  endpoints(): Readonly<Record<SimulatedService, string>> {
    const address = (name: SimulatedService): string =>
      `${this.#url()}/${name}${VERSIONED.has(name) ? VERSION_PATHS[name] : ''}`;
    return {
      identity: address('identity'),
      compute: address('compute'),
      placement: address('placement'),
      image: address('image'),
      network: address('network'),
    };
  }

  /** What a service says about its versions, if it is asked for that. */
  versionDocument({ service, version, path }: Found, method: string): Answer | undefined {
    const entry = this.#entries.get(service);
    if (path !== '/' || method !== 'GET' || entry === undefined) return undefined;
    const url = this.endpoints()[entry.name];
    const { major = 0, newest = 0 } = entry.versions ?? {};
    switch (entry.name) {
      case 'identity':
        if (version !== undefined) return { status: 200, body: { version: versionDocument(url) } };
        return { status: 300, body: { versions: { values: [versionDocument(url)] } } };
      case 'compute': {
        const document = {
          id: 'v2.1',
          status: 'CURRENT',
          version: `${major}.${newest}`,
          min_version: '2.1',
          updated: '2013-07-23T11:33:21Z',
          links: [{ rel: 'self', href: `${url}/` }],
          'media-types': [{ base: 'application/json', type: COMPUTE_MEDIA_TYPE }],
        };
        return { status: 200, body: version === undefined ? { versions: [document] } : { version: document } };
      }
      case 'placement': {
        const document = { id: 'v1.0', status: 'CURRENT', max_version: `${major}.${newest}`, min_version: '1.0' };
        return { status: 200, body: { versions: [{ ...document, links: [{ rel: 'self', href: '' }] }] } };
      }
      case 'image':
        return { status: 300, body: { versions: [{ id: 'v2.9', status: 'CURRENT', links: [] }] } };
      case 'network':
        return { status: 200, body: { versions: [{ id: 'v2.0', status: 'CURRENT', links: [] }] } };
    }
  }

  /** Refuses what only administrators may do. */
  checkPolicy({ service, path }: Found, { user }: Session): void {
    if (service === 'identity' || user.roles.includes('admin')) return;
    if (service === 'placement') throw refusal(403, 'Policy does not allow this call to be performed.');
    const [, kind] = service === 'compute' ? (FOR_ADMINISTRATORS.exec(path) ?? []) : [];
    if (kind !== undefined) throw refusal(403, `Policy doesn't allow os_compute_api:os-${kind} to be performed.`);
  }
}
