import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { CloudConfig, CloudIdentity } from './cloud-config.ts';
import { loadCloudConfig, type LoadCloudOptions } from './load-cloud-config.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clouds-'));
  for (const name of ['here', 'home/.config/openstack', 'etc']) await mkdir(join(directory, name), { recursive: true });
});

afterEach(async () => {
  await rm(directory, { recursive: true });
});

const variables = {
  OS_AUTH_URL: 'https://keystone:5000/',
  OS_USERNAME: 'robot',
  OS_PASSWORD: 'hidden',
  OS_PROJECT_NAME: 'admin',
  OS_USER_DOMAIN_NAME: 'People',
  OS_PROJECT_DOMAIN_ID: 'd1',
  OS_REGION_NAME: 'north',
  OS_INTERFACE: 'internalURL',
  OS_CACERT: '/etc/ca.pem',
};

const clouds = `
clouds:
  one:
    auth:
      auth_url: https://one/v3
      username: robot
      project_id: p1
    region_name: north
    cacert: ca.pem
  two:
    auth_type: v3applicationcredential
    auth: { auth_url: 'https://two', application_credential_id: c1, application_credential_secret: hidden }
    interface: admin
    regions: [south]
    compute_endpoint_override: http://nova/v2.1
`;

const secure = `
clouds:
  one: { auth: { password: hidden } }
`;

describe('the environment', () => {
  it('is enough', async () => {
    const config = await load({ environment: variables });

    expect(revealed(config)).toEqual({
      authUrl: 'https://keystone:5000/v3',
      identity: { kind: 'password', user: { name: 'robot', domain: { name: 'People' } }, password: 'hidden' },
      scope: { kind: 'project', project: { name: 'admin', domain: { id: 'd1' } } },
      region: 'north',
      interface: 'internal',
      tls: { authorityFile: '/etc/ca.pem', isInsecure: false },
      endpoints: {},
    });
  });

  it.each<[Record<string, string>, Partial<CloudConfig>]>([
    [{ OS_PROJECT_NAME: '', OS_TENANT_NAME: 'old', OS_PROJECT_DOMAIN_ID: '' }, projectScope('old')],
    [{ OS_PROJECT_NAME: '', OS_SYSTEM_SCOPE: 'all' }, { scope: { kind: 'system' } }],
    [{ OS_PROJECT_NAME: '', OS_DOMAIN_NAME: 'd' }, { scope: { kind: 'domain', domain: { name: 'd' } } }],
    [{ OS_PROJECT_NAME: '' }, { scope: { kind: 'none' } }],
    [{ OS_CERT: '/c.pem', OS_KEY: '/k.pem' }, { tls: tls({ certificateFile: '/c.pem', keyFile: '/k.pem' }) }],
    [{ OS_PLACEMENT_ENDPOINT_OVERRIDE: 'http://p' }, { endpoints: { placement: 'http://p' } }],
  ])('with %o says %o', async (more, expected) => {
    expect(await load({ environment: { ...variables, ...more } })).toMatchObject(expected);
  });

  it.each<[Record<string, string>, CloudIdentity['kind']]>([
    [{ OS_APPLICATION_CREDENTIAL_ID: 'c', OS_APPLICATION_CREDENTIAL_SECRET: 's' }, 'application-credential'],
    [{ OS_AUTH_TYPE: 'v3token', OS_TOKEN: 't' }, 'token'],
    [{ OS_PASSWORD: '', OS_TOKEN: 't' }, 'token'],
  ])('with %o means the method %s', async (more, kind) => {
    expect(await load({ environment: { ...variables, ...more } })).toMatchObject({ identity: { kind } });
  });

  it.each([
    [{ OS_PASSWORD: '' }, 'environment (OS_*): password is missing'],
    [{ OS_USERNAME: '' }, 'username or user_id is missing'],
    [{ OS_AUTH_URL: 'keystone' }, 'auth_url: "keystone" is not a URL'],
    [{ OS_AUTH_URL: 'http://keystone/v2.0' }, 'let it end in /v3'],
    [{ OS_AUTH_TYPE: 'v3oidcpassword' }, 'auth_type: "v3oidcpassword" is not supported'],
    [{ OS_INTERFACE: 'secret' }, 'interface: "secret" is none of'],
    [{ OS_INSECURE: 'true' }, 'name the authority in cacert instead'],
    [{ OS_INSECURE: 'perhaps' }, 'insecure: "perhaps" is neither true nor false'],
    [{ OS_KEY: '/k.pem' }, 'key: goes with cert'],
    [{ OS_SYSTEM_SCOPE: 'some' }, 'system_scope: "some" is not "all"'],
  ])('with %o is refused: %s', async (more, words) => {
    await expect(load({ environment: { ...variables, ...more } })).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringContaining(words),
    });
  });

  it('may be insecure if the caller says so too', async () => {
    const config = await load({ environment: { ...variables, OS_INSECURE: 'true' }, allowsInsecure: true });

    expect(config.tls.isInsecure).toBe(true);
  });
});

describe('clouds.yaml', () => {
  it('has the cloud that OS_CLOUD names, and secure.yaml its password', async () => {
    await write('home/.config/openstack/clouds.yaml', clouds);
    await write('etc/secure.yaml', secure);

    const config = await load({ environment: { ...variables, OS_CLOUD: 'one' } });

    expect(revealed(config)).toMatchObject({
      authUrl: 'https://one/v3',
      identity: { user: { name: 'robot', domain: { id: 'default' } }, password: 'hidden' },
      scope: { project: { id: 'p1' } },
      tls: { authorityFile: join(directory, 'home/.config/openstack/ca.pem') },
    });
  });

  it('knows application credentials, one region and endpoints of its own', async () => {
    await write('here/clouds.yaml', clouds);

    const config = await load({ environment: {}, cloud: 'two' });

    expect(revealed(config)).toMatchObject({
      identity: { kind: 'application-credential', credential: { id: 'c1' }, secret: 'hidden' },
      scope: { kind: 'none' },
      region: 'south',
      interface: 'admin',
      endpoints: { compute: 'http://nova/v2.1' },
    });
  });

  it('is looked for here, at home and in /etc, in that order', async () => {
    const found: string[] = [];

    await write('etc/clouds.yml', named('etc'));
    found.push((await load({ environment: {} })).authUrl);
    await write('home/.config/openstack/clouds.yaml', named('home'));
    found.push((await load({ environment: {} })).authUrl);
    await write('here/clouds.yaml', named('here'));
    found.push((await load({ environment: {} })).authUrl);
    await write('file.yaml', named('file'));
    found.push((await load({ environment: { OS_CLIENT_CONFIG_FILE: join(directory, 'file.yaml') } })).authUrl);

    expect(found).toEqual(['http://etc/v3', 'http://home/v3', 'http://here/v3', 'http://file/v3']);
  });

  it.each([
    [clouds, {}, 'has the clouds one, two: name one with OS_CLOUD'],
    [clouds, { cloud: 'three' }, 'there is no cloud "three"'],
    [clouds, { cloud: 'one' }, 'clouds.yaml: password is missing'],
    ['clouds: { a: { profile: rackspace } }', {}, 'profile is not supported'],
    ['clouds: { a: { verify: false, auth: { auth_url: "http://x", token: t } } }', {}, 'is not to be checked'],
    ['clouds: { a: { auth: 7 } }', {}, 'auth is not a section'],
    ['hello', {}, 'clouds is missing'],
  ])('with %j and %o is refused: %s', async (text, options, words) => {
    await write('here/clouds.yaml', text);

    await expect(load({ environment: {}, ...options })).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringContaining(words),
    });
  });

  it('is not quoted when it cannot be read, for it may hold passwords', async () => {
    await write('here/clouds.yaml', 'clouds:\n  a:\n    password: "hidden\n   x: [');

    const error: unknown = await load({ environment: {} }).catch((caught: unknown) => caught);

    expect(error).toMatchObject({ code: 'bad-config', message: expect.stringContaining('is not YAML') });
    expect([String(error), error instanceof Error ? error.cause : undefined]).not.toContain('hidden');
    expect(String(error)).not.toContain('hidden');
  });

  it('is missed by name where there is nothing to go by', async () => {
    await expect(load({ environment: {} })).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringMatching(/^OS_AUTH_URL is not set, and none of .*here\/clouds.yaml.* exists$/),
    });
  });
});

it('shows no secret to who prints it', async () => {
  const config = await load({ environment: variables });

  expect(
    `${JSON.stringify(config)} ${String(config.identity.kind === 'password' && config.identity.password)}`,
  ).not.toContain('hidden');
});

async function load(options: LoadCloudOptions): Promise<CloudConfig> {
  return await loadCloudConfig({
    workingDirectory: join(directory, 'here'),
    homeDirectory: join(directory, 'home'),
    systemDirectory: join(directory, 'etc'),
    ...options,
  });
}

async function write(name: string, text: string): Promise<void> {
  await writeFile(join(directory, name), text);
}

/** A file with one cloud, whose Keystone has that name. */
function named(name: string): string {
  return `clouds: { only: { auth: { auth_url: 'http://${name}', token: t } } }`;
}

function tls(more: Partial<CloudConfig['tls']>): CloudConfig['tls'] {
  return { authorityFile: '/etc/ca.pem', isInsecure: false, ...more };
}

function projectScope(name: string): Partial<CloudConfig> {
  return { scope: { kind: 'project', project: { name, domain: { id: 'default' } } } };
}

/** The same with secrets readable, for a test to compare. */
function revealed(config: CloudConfig): unknown {
  const { identity } = config;
  switch (identity.kind) {
    case 'password':
      return { ...config, identity: { ...identity, password: identity.password.reveal() } };
    case 'application-credential':
      return { ...config, identity: { ...identity, secret: identity.secret.reveal() } };
    case 'token':
      return { ...config, identity: { ...identity, token: identity.token.reveal() } };
  }
}
