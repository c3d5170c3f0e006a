import { join } from 'node:path';

import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';

import { SmaltError } from '../smalt-error.ts';
import type { HostPlaces } from './start-host-agents.ts';

/** What the agents of a local host are told, in a file: the same for every boot of it. */
export interface HostAgentsConfig {
  readonly node: string;
  /** By which other hosts reach it. */
  readonly address: string;
  /** What its libvirt is known by among others. */
  readonly uuid: string;
  /** What it has as its own, at the same path on every host. */
  readonly own: string;
  readonly cgroupRoot: string;
  /** What its pid 1 and its agents write to. */
  readonly logFile: string;
  /** Where Leases and Migrations live. */
  readonly namespace: string;
  readonly kubeconfigs: {
    readonly nodeAgent: string;
    readonly podRunner: string;
    /** Left out where the libvirt has another master. */
    readonly virtHandler?: string | undefined;
    readonly ovsAgent: string;
  };
  readonly highAvailability: {
    readonly url: string;
    readonly authorityFile: string;
    readonly tokenFile: string;
    readonly reportFile: string;
  };
}

/** Reads what the agents of a local host are told. Refuses what is not whole, by the name of the field. */
export function parseHostAgentsConfig(text: string): HostAgentsConfig {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new SmaltError('wrong-use', 'the configuration of a host is no JSON object');
  const own = textsOf(value, '');
  const kubeconfigs = section(value, 'kubeconfigs');
  const kubeconfig = textsOf(kubeconfigs, 'kubeconfigs.');
  const service = textsOf(section(value, 'highAvailability'), 'highAvailability.');
  return {
    node: own('node'),
    address: own('address'),
    uuid: own('uuid'),
    own: own('own'),
    cgroupRoot: own('cgroupRoot'),
    logFile: own('logFile'),
    namespace: own('namespace'),
    kubeconfigs: {
      nodeAgent: kubeconfig('nodeAgent'),
      podRunner: kubeconfig('podRunner'),
      virtHandler: kubeconfigs['virtHandler'] === undefined ? undefined : kubeconfig('virtHandler'),
      ovsAgent: kubeconfig('ovsAgent'),
    },
    highAvailability: {
      url: service('url'),
      authorityFile: service('authorityFile'),
      tokenFile: service('tokenFile'),
      reportFile: service('reportFile'),
    },
  };
}

/** Where a local host keeps what is its own. */
export function hostPlaces(own: string): HostPlaces {
  return {
    nodeAgent: join(own, 'na'),
    pki: join(own, 'pki'),
    pods: join(own, 'pods'),
    // Files of pods and instances link to them, which they can within one mount alone.
    images: join(own, 'images'),
    volumes: join(own, 'volumes'),
    virtHandler: join(own, 'vh'),
  };
}

/** Where the libvirt of a local host has its files. */
export function hostLibvirtDirectory(own: string): string {
  return join(own, 'lv');
}

function section(value: JsonObject, name: string): JsonObject {
  const found = value[name];
  if (isJsonObject(found)) return found;
  throw new SmaltError('wrong-use', `${name}: is missing in the configuration of a host`);
}

/** Reads fields by their names; where they are is for who has to mend them. */
function textsOf(object: JsonObject, path: string): (name: string) => string {
  return (name) => {
    const found = object[name];
    if (typeof found === 'string' && found !== '') return found;
    throw new SmaltError('wrong-use', `${path}${name}: is missing in the configuration of a host`);
  };
}
