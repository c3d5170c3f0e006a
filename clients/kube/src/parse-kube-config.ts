import { dirname, isAbsolute, join } from 'node:path';

import type { ExecPlugin, FileOrText, Identity, KubeConfig, TlsConfig } from './kube-config.ts';
import { KubeError } from './kube-error.ts';
import { readPlainYaml } from './read-plain-yaml.ts';

type Section = Readonly<Record<string, unknown>>;

/** A kubeconfig file and where it lies: the paths in it are relative to that. */
export interface KubeConfigFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the chosen context, or the current one, of one or more kubeconfig files; of two entries with one name the first
 * counts, as with kubectl. Throws a KubeError that names the file and the field.
 */
export async function parseKubeConfig(files: readonly KubeConfigFile[], context?: string): Promise<KubeConfig> {
  const documents = await Promise.all(files.map(async (file) => ({ file, section: await parseFile(file) })));
  const chosen =
    context ?? documents.map(({ section }) => textOf(section, 'current-context')).find((name) => name !== undefined);
  if (chosen === undefined || chosen === '') throw bad('no context is chosen: set current-context, or name one');
  const { entry } = findEntry(documents, 'contexts', 'context', chosen);
  const cluster = findEntry(documents, 'clusters', 'cluster', requiredText(entry, 'cluster', `context "${chosen}"`));
  const userName = textOf(entry, 'user');
  const user = userName === undefined ? undefined : findEntry(documents, 'users', 'user', userName);
  return {
    server: serverOf(cluster.entry, cluster.where),
    tls: tlsOf(cluster.entry, cluster.directory),
    identity: user === undefined ? { kind: 'anonymous' } : identityOf(user.entry, user.directory, user.where),
    namespace: textOf(entry, 'namespace') ?? 'default',
    proxyUrl: textOf(cluster.entry, 'proxy-url'),
  };
}

async function parseFile({ path, text }: KubeConfigFile): Promise<Section> {
  try {
    // Loaded by need: it takes 3 MiB, for months in an agent.
    const value: unknown = readPlainYaml(text) ?? (await import('yaml')).parse(text);
    if (isSection(value)) return value;
  } catch (error) {
    throw bad(`${path} is not YAML: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  throw bad(`${path} is not a kubeconfig file`);
}

interface Found {
  readonly entry: Section;
  readonly directory: string;
  readonly where: string;
}

function findEntry(
  documents: readonly { file: KubeConfigFile; section: Section }[],
  list: string,
  key: string,
  name: string,
): Found {
  for (const { file, section } of documents) {
    const entries = section[list];
    if (!Array.isArray(entries)) continue;
    const found: unknown = entries.find((each: unknown) => isSection(each) && each['name'] === name);
    const entry = isSection(found) ? found[key] : undefined;
    if (isSection(entry)) return { entry, directory: dirname(file.path), where: `${key} "${name}" in ${file.path}` };
  }
  throw bad(`there is no ${key} "${name}" in ${documents.map(({ file }) => file.path).join(', ')}`);
}

function serverOf(cluster: Section, where: string): string {
  const server = requiredText(cluster, 'server', where);
  if (!URL.canParse(server)) throw bad(`${where}: server: "${server}" is not a URL`);
  return server.replace(/\/+$/, '');
}

function tlsOf(cluster: Section, directory: string): TlsConfig {
  return {
    authority: fileOrData(cluster, 'certificate-authority', directory),
    serverName: textOf(cluster, 'tls-server-name'),
    isInsecure: cluster['insecure-skip-tls-verify'] === true,
  };
}

function identityOf(user: Section, directory: string, where: string): Identity {
  if (textOf(user, 'as') !== undefined) throw bad(`${where}: as: to act as somebody else is not supported`);
  const certificate = fileOrData(user, 'client-certificate', directory);
  const key = fileOrData(user, 'client-key', directory);
  if (certificate !== undefined && key !== undefined) return { kind: 'certificate', certificate, key };
  if (certificate !== undefined || key !== undefined)
    throw bad(`${where}: client-certificate and client-key go together`);
  const token = textOf(user, 'token');
  const tokenFile = textOf(user, 'tokenFile');
  if (tokenFile !== undefined) return { kind: 'token', token: { kind: 'file', path: absolute(tokenFile, directory) } };
  if (token !== undefined) return { kind: 'token', token: { kind: 'text', text: token } };
  const username = textOf(user, 'username');
  if (username !== undefined) return { kind: 'password', username, password: textOf(user, 'password') ?? '' };
  const { exec } = user;
  if (isSection(exec)) return { kind: 'exec', plugin: pluginOf(exec, directory, where) };
  if (user['auth-provider'] !== undefined) throw bad(`${where}: auth-provider is not supported: use exec`);
  return { kind: 'anonymous' };
}

function pluginOf(exec: Section, directory: string, where: string): ExecPlugin {
  const command = requiredText(exec, 'command', `${where}: exec`);
  const { args, env } = exec;
  const pairs = Array.isArray(env) ? env.filter((each: unknown) => isSection(each)) : [];
  return {
    apiVersion: requiredText(exec, 'apiVersion', `${where}: exec`),
    // A command with a slash is a path, relative to the file; one without is looked up.
    command: command.includes('/') ? absolute(command, directory) : command,
    args: Array.isArray(args) ? args.map(String) : [],
    environment: Object.fromEntries(pairs.map((each) => [String(each['name']), String(each['value'])])),
    installHint: textOf(exec, 'installHint'),
    isClusterInfoProvided: exec['provideClusterInfo'] === true,
  };
}

function fileOrData(section: Section, name: string, directory: string): FileOrText | undefined {
  const data = textOf(section, `${name}-data`);
  if (data !== undefined) return { kind: 'text', text: Buffer.from(data, 'base64').toString() };
  const path = textOf(section, name);
  return path === undefined ? undefined : { kind: 'file', path: absolute(path, directory) };
}

function absolute(path: string, directory: string): string {
  return isAbsolute(path) ? path : join(directory, path);
}

function requiredText(section: Section, name: string, where: string): string {
  const text = textOf(section, name);
  if (text === undefined) throw bad(`${where}: ${name} is missing`);
  return text;
}

function textOf(section: Section, name: string): string | undefined {
  const value = section[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function bad(message: string, cause?: unknown): KubeError {
  return new KubeError('bad-config', `kubeconfig: ${message}`, { cause });
}
