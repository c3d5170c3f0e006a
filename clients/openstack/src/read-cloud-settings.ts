import { Secret } from '@smalt/secret';

import type {
  CloudConfig,
  CloudIdentity,
  CloudScope,
  CloudTls,
  DomainReference,
  EndpointInterface,
  OwnedReference,
  ServiceName,
} from './cloud-config.ts';
import { OpenStackError } from './openstack-error.ts';

/** The settings of one cloud by the names they have in `clouds.yaml`, those of its `auth` section among them. */
export type CloudSettings = ReadonlyMap<string, string>;

export interface SettingsSource {
  /** Where the settings are from, for errors: `cloud "a" in /etc/openstack/clouds.yaml`. */
  readonly where: string;
  /** Whether a cloud whose certificate is not checked is acceptable. */
  readonly allowsInsecure: boolean;
}

const TYPE_OF_AUTH = new Map<string, CloudIdentity['kind']>([
  ['password', 'password'],
  ['v3password', 'password'],
  ['v3applicationcredential', 'application-credential'],
  ['token', 'token'],
  ['v3token', 'token'],
]);

const OVERRIDES: Readonly<Record<ServiceName, readonly string[]>> = {
  compute: ['compute_endpoint_override'],
  placement: ['placement_endpoint_override'],
  image: ['image_endpoint_override'],
  network: ['network_endpoint_override'],
  volume: ['block_storage_endpoint_override', 'volume_endpoint_override'],
};

/** Makes a configuration of settings. Throws a `bad-config` that names the setting and what to do about it. */
export function readCloudSettings(settings: CloudSettings, source: SettingsSource): CloudConfig {
  const identity = identityOf(settings, source.where);
  return {
    authUrl: authUrlOf(settings, source.where),
    identity,
    scope: identity.kind === 'application-credential' ? { kind: 'none' } : scopeOf(settings, source.where),
    region: settings.get('region_name'),
    interface: interfaceOf(settings, source.where),
    tls: tlsOf(settings, source),
    endpoints: endpointsOf(settings),
  };
}

function authUrlOf(settings: CloudSettings, where: string): string {
  const text = required(settings, 'auth_url', where);
  if (!URL.canParse(text) || !/^https?:/.test(text)) throw bad(`${where}: auth_url: "${text}" is not a URL`);
  const trimmed = text.replace(/\/+$/, '');
  if (trimmed.endsWith('/v2.0')) throw bad(`${where}: auth_url: Keystone v2.0 is gone: let it end in /v3`);
  return trimmed.endsWith('/v3') ? trimmed : `${trimmed}/v3`;
}

function identityOf(settings: CloudSettings, where: string): CloudIdentity {
  const type = settings.get('auth_type');
  const kind = type === undefined ? guessKind(settings) : TYPE_OF_AUTH.get(type);
  switch (kind) {
    case undefined:
      throw bad(`${where}: auth_type: "${type}" is not supported: use ${[...TYPE_OF_AUTH.keys()].join(', ')}`);
    case 'password': {
      const password = new Secret(required(settings, 'password', where));
      return { kind, user: userOf(settings, where), password };
    }
    case 'application-credential': {
      const secret = new Secret(required(settings, 'application_credential_secret', where));
      const id = settings.get('application_credential_id');
      if (id !== undefined) return { kind, credential: { id }, secret };
      const name = required(settings, 'application_credential_name', where, 'application_credential_id');
      return { kind, credential: { name, user: userOf(settings, where) }, secret };
    }
    case 'token':
      return { kind, token: new Secret(required(settings, 'token', where)) };
  }
}

function guessKind(settings: CloudSettings): CloudIdentity['kind'] {
  if (settings.has('application_credential_secret')) return 'application-credential';
  return settings.has('token') && !settings.has('password') ? 'token' : 'password';
}

function userOf(settings: CloudSettings, where: string): OwnedReference {
  const id = settings.get('user_id');
  if (id !== undefined) return { id };
  const name = required(settings, 'username', where, 'user_id');
  return { name, domain: domainOf(settings, 'user_domain') };
}

function scopeOf(settings: CloudSettings, where: string): CloudScope {
  const system = settings.get('system_scope');
  if (system !== undefined && system !== 'all') throw bad(`${where}: system_scope: "${system}" is not "all"`);
  if (system === 'all') return { kind: 'system' };
  const projectId = settings.get('project_id');
  if (projectId !== undefined) return { kind: 'project', project: { id: projectId } };
  const projectName = settings.get('project_name');
  if (projectName !== undefined) {
    return { kind: 'project', project: { name: projectName, domain: domainOf(settings, 'project_domain') } };
  }
  const domain = referenceOf(settings, 'domain');
  return domain === undefined ? { kind: 'none' } : { kind: 'domain', domain };
}

// The domain "default" is what OpenStack's own tools assume.
function domainOf(settings: CloudSettings, prefix: string): DomainReference {
  return referenceOf(settings, prefix) ?? referenceOf(settings, 'default_domain') ?? { id: 'default' };
}

function referenceOf(settings: CloudSettings, prefix: string): DomainReference | undefined {
  const id = settings.get(`${prefix}_id`);
  if (id !== undefined) return { id };
  const name = settings.get(`${prefix}_name`);
  return name === undefined ? undefined : { name };
}

function interfaceOf(settings: CloudSettings, where: string): EndpointInterface {
  const text = settings.get('interface') ?? settings.get('endpoint_type') ?? 'public';
  const name = text.replace(/URL$/, '');
  if (name === 'public' || name === 'internal' || name === 'admin') return name;
  throw bad(`${where}: interface: "${text}" is none of public, internal, admin`);
}

function tlsOf(settings: CloudSettings, { where, allowsInsecure }: SettingsSource): CloudTls {
  const [certificateFile, keyFile] = [settings.get('cert'), settings.get('key')];
  if (keyFile !== undefined && certificateFile === undefined)
    throw bad(`${where}: key: goes with cert, which is missing`);
  const isInsecure = isTrue(settings, 'insecure', where) || !isTrue(settings, 'verify', where, true);
  if (isInsecure && !allowsInsecure) {
    const next = 'name the authority in cacert instead, or allow insecure clouds explicitly';
    throw bad(`${where}: the certificate of the cloud is not to be checked (verify, insecure): ${next}`);
  }
  return { authorityFile: settings.get('cacert'), certificateFile, keyFile: keyFile ?? certificateFile, isInsecure };
}

function isTrue(settings: CloudSettings, name: string, where: string, fallback: boolean = false): boolean {
  const text = settings.get(name)?.toLowerCase();
  if (text === undefined) return fallback;
  if (['true', 'yes', '1', 'on'].includes(text)) return true;
  if (['false', 'no', '0', 'off'].includes(text)) return false;
  throw bad(`${where}: ${name}: "${text}" is neither true nor false`);
}

function endpointsOf(settings: CloudSettings): Readonly<Partial<Record<ServiceName, string>>> {
  const endpoints: Partial<Record<ServiceName, string>> = {};
  for (const service of ['compute', 'placement', 'image', 'network', 'volume'] as const) {
    const name = OVERRIDES[service].find((each) => settings.has(each));
    const url = name === undefined ? undefined : settings.get(name);
    if (url !== undefined) endpoints[service] = url;
  }
  return endpoints;
}

function required(settings: CloudSettings, name: string, where: string, alternative?: string): string {
  const text = settings.get(name);
  if (text !== undefined) return text;
  throw bad(`${where}: ${name}${alternative === undefined ? '' : ` or ${alternative}`} is missing`);
}

function bad(message: string): OpenStackError {
  return new OpenStackError('bad-config', message);
}
