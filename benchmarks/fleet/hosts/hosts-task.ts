import { isJsonArray, isJsonObject, parseJson, type JsonObject, type JsonValue } from '@smalt/json';

/** What a process with the agents of many hosts is told, in one line of JSON. */
export interface HostsTask {
  readonly kubeconfig: string;
  /** Holds a directory for each host. */
  readonly folder: string;
  readonly haService: { readonly url: string; readonly secret: string; readonly authorityFile: string };
  readonly hosts: readonly HostPlace[];
}

/** A host by its name, and where its libvirt is. */
export interface HostPlace {
  readonly name: string;
  readonly uri: string;
}

/** Throws on anything else. */
export function readHostsTask(line: string): HostsTask {
  const task = objectOf(parseJson(line));
  const service = objectOf(task['haService']);
  const hosts = task['hosts'];
  if (!isJsonArray(hosts)) throw new TypeError('hosts: not a list');
  return {
    kubeconfig: textOf(task, 'kubeconfig'),
    folder: textOf(task, 'folder'),
    haService: {
      url: textOf(service, 'url'),
      secret: textOf(service, 'secret'),
      authorityFile: textOf(service, 'authorityFile'),
    },
    hosts: hosts.map((host) => ({ name: textOf(objectOf(host), 'name'), uri: textOf(objectOf(host), 'uri') })),
  };
}

function objectOf(value: JsonValue | undefined): JsonObject {
  if (!isJsonObject(value)) throw new TypeError('not an object');
  return value;
}

function textOf(object: JsonObject, name: string): string {
  const value = object[name];
  if (typeof value !== 'string') throw new TypeError(`${name}: not a text`);
  return value;
}
