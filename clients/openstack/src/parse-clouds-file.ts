import { dirname, isAbsolute, join } from 'node:path';

import { parse } from 'yaml';

import { OpenStackError } from './openstack-error.ts';
import type { CloudSettings } from './read-cloud-settings.ts';

type Section = Readonly<Record<string, unknown>>;

/** A `clouds.yaml` or `secure.yaml` and where it lies: the paths in it are relative to that. */
export interface CloudsFile {
  readonly path: string;
  readonly text: string;
}

const PATHS = new Set(['cacert', 'cert', 'key']);

/** The names of the clouds in a `clouds.yaml`. */
export function cloudNames(file: CloudsFile): readonly string[] {
  return Object.keys(cloudsOf(file));
}

/**
 * The settings of one cloud of a `clouds.yaml`, with what a `secure.yaml` adds. Throws a `bad-config` that names the
 * file and the field.
 */
export function parseCloudsFile(file: CloudsFile, secure: CloudsFile | undefined, cloud: string): CloudSettings {
  const section = cloudsOf(file)[cloud];
  const where = `cloud "${cloud}" in ${file.path}`;
  if (section === undefined) {
    throw bad(`there is no cloud "${cloud}" in ${file.path}; it has ${cloudNames(file).join(', ') || 'none'}`);
  }
  if (!isSection(section)) throw bad(`${where} is not a section`);
  for (const name of ['profile', 'vendor_hook']) {
    if (section[name] !== undefined) throw bad(`${where}: ${name} is not supported: write its settings out`);
  }
  const secrets = secure === undefined ? undefined : cloudsOf(secure)[cloud];
  return new Map([
    ...settingsOf(section, file, where),
    ...(secure !== undefined && isSection(secrets)
      ? settingsOf(secrets, secure, `cloud "${cloud}" in ${secure.path}`)
      : []),
  ]);
}

function settingsOf(section: Section, file: CloudsFile, where: string): readonly [string, string][] {
  const { auth = {}, regions, ...others } = section;
  if (!isSection(auth)) throw bad(`${where}: auth is not a section`);
  const entries = Object.entries<unknown>({ region_name: onlyRegion(regions), ...others, ...auth });
  return entries.flatMap(([name, value]): [string, string][] => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return [];
    const text = String(value);
    if (text === '') return [];
    return [[name, PATHS.has(name) && !isAbsolute(text) ? join(dirname(file.path), text) : text]];
  });
}

// Of several any could be the wrong one: who names none is asked for it when the catalog has more than one too.
function onlyRegion(regions: unknown): string | undefined {
  if (!Array.isArray(regions) || regions.length !== 1) return undefined;
  const region: unknown = regions[0];
  const name = isSection(region) ? region['name'] : region;
  return typeof name === 'string' ? name : undefined;
}

function cloudsOf({ path, text }: CloudsFile): Section {
  const document = parseYaml(path, text);
  const clouds = isSection(document) ? document['clouds'] : undefined;
  if (isSection(clouds)) return clouds;
  throw bad(`${path}: clouds is missing, or is not a section`);
}

function parseYaml(path: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    // The text of a YAML error quotes the line, which may hold a password.
    const line = cause instanceof Error ? /at line \d+/.exec(cause.message)?.[0] : undefined;
    throw bad(`${path} is not YAML${line === undefined ? '' : `: see the text ${line}`}`);
  }
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bad(message: string): OpenStackError {
  return new OpenStackError('bad-config', message);
}
