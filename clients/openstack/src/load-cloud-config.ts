import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

import type { CloudConfig } from './cloud-config.ts';
import { OpenStackError } from './openstack-error.ts';
import { cloudNames, parseCloudsFile, type CloudsFile } from './parse-clouds-file.ts';
import { readCloudSettings, type CloudSettings } from './read-cloud-settings.ts';

export interface LoadCloudOptions {
  /** The environment of the process: `OS_CLOUD` and the other variables that OpenStack's tools know. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The cloud of `clouds.yaml` to use, whatever `OS_CLOUD` says. */
  readonly cloud?: string | undefined;
  /** A `clouds.yaml` to use and no other. */
  readonly path?: string | undefined;
  /** Accepts a cloud whose settings say that its certificate is not to be checked. */
  readonly allowsInsecure?: boolean | undefined;
  readonly homeDirectory?: string | undefined;
  readonly workingDirectory?: string | undefined;
  readonly systemDirectory?: string | undefined;
}

/** Names that a variable has had over the years, where it is not the setting in capitals. */
const SETTING_OF_VARIABLE = new Map([
  ['OS_TENANT_NAME', 'project_name'],
  ['OS_TENANT_ID', 'project_id'],
  ['OS_DEFAULT_DOMAIN', 'default_domain_id'],
  ['OS_USER_NAME', 'username'],
  ['OS_PASS', 'password'],
]);

const EXTENSIONS = ['yaml', 'yml', 'json'];

/**
 * Finds out how to reach a cloud, as OpenStack's own tools do: the cloud that was named, or that `OS_CLOUD` names, in
 * `clouds.yaml`; else the `OS_*` variables; else the one cloud that `clouds.yaml` has.
 */
export async function loadCloudConfig(options: LoadCloudOptions): Promise<CloudConfig> {
  const { environment, allowsInsecure = false } = options;
  const cloud = options.cloud ?? textOf(environment['OS_CLOUD']);
  if (cloud === undefined && options.path === undefined && textOf(environment['OS_AUTH_URL']) !== undefined) {
    return readCloudSettings(environmentSettings(environment), { where: 'environment (OS_*)', allowsInsecure });
  }
  const candidates = cloudsPaths(options);
  const file = await firstFile(candidates);
  if (file === undefined) {
    const wanted = cloud === undefined ? 'OS_AUTH_URL is not set' : `cloud "${cloud}" is asked for`;
    throw new OpenStackError('bad-config', `${wanted}, and none of ${candidates.join(', ')} exists`);
  }
  const name = cloud ?? onlyCloud(file);
  const settings = parseCloudsFile(file, await firstFile(securePaths(options)), name);
  return readCloudSettings(settings, { where: `cloud "${name}" in ${file.path}`, allowsInsecure });
}

function onlyCloud(file: CloudsFile): string {
  const names = cloudNames(file);
  const [name] = names;
  if (name !== undefined && names.length === 1) return name;
  throw new OpenStackError('bad-config', `${file.path} has the clouds ${names.join(', ')}: name one with OS_CLOUD`);
}

function environmentSettings(environment: LoadCloudOptions['environment']): CloudSettings {
  const settings = new Map<string, string>();
  for (const [variable, value] of Object.entries(environment)) {
    const text = textOf(value);
    if (!variable.startsWith('OS_') || text === undefined) continue;
    const old = SETTING_OF_VARIABLE.get(variable);
    const name = old ?? variable.slice('OS_'.length).toLowerCase();
    // A variable by its present name counts more than one by an old name.
    if (old === undefined || !settings.has(name)) settings.set(name, text);
  }
  return settings;
}

function cloudsPaths(options: LoadCloudOptions): readonly string[] {
  const named = options.path ?? textOf(options.environment['OS_CLIENT_CONFIG_FILE']);
  return named === undefined ? searchPaths(options, 'clouds') : [named];
}

function securePaths(options: LoadCloudOptions): readonly string[] {
  const named = textOf(options.environment['OS_CLIENT_SECURE_FILE']);
  return named === undefined ? searchPaths(options, 'secure') : [named];
}

function searchPaths(options: LoadCloudOptions, name: string): readonly string[] {
  const configured = textOf(options.environment['XDG_CONFIG_HOME']);
  const home = configured ?? join(options.homeDirectory ?? homedir(), '.config');
  const directories = [
    resolve(options.workingDirectory ?? '.'),
    join(home, 'openstack'),
    options.systemDirectory ?? '/etc/openstack',
  ];
  return directories.flatMap((directory) => EXTENSIONS.map((extension) => join(directory, `${name}.${extension}`)));
}

async function firstFile(paths: readonly string[]): Promise<CloudsFile | undefined> {
  for (const path of paths) {
    const text = await readIfPresent(path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}

async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OpenStackError('bad-config', `${path} cannot be read: ${reason}`, { cause });
  }
}

function textOf(value: string | undefined): string | undefined {
  return value === undefined || value === '' ? undefined : value;
}
