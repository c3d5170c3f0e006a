import type { JsonObject, JsonValue } from '@smalt/json';

import { DEFINITIONS } from '../paths.ts';
import {
  collect,
  get,
  patch,
  post,
  probe,
  remove,
  until,
  watch,
  type Probe,
  type RequestStep,
  type UntilStep,
} from '../probe.ts';
import { definition } from '../sample-objects.ts';

const OLD_FIELDS: JsonObject = {
  old: { type: 'string' },
  size: { type: 'integer', default: 1 },
  filled: { type: 'string', default: 'in v1' },
};
const NEW_FIELDS: JsonObject = {
  new: { type: 'string' },
  size: { type: 'integer', default: 2 },
  color: { type: 'string', default: 'green' },
};
const TABLE = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } };

/** Objects of kinds with two versions that have different fields and defaults. */
export const versionProbes: readonly Probe[] = [
  probe(
    'an object made in a version that is not stored',
    ...served('crates', 'Crate', { storage: 'v2' }),
    post(things('crates', 'v1'), thing('v1', 'Crate', 'a', { old: 'o', both: 'b' })),
    get(`${things('crates', 'v1')}/a`),
    get(`${things('crates', 'v2')}/a`),
    get(things('crates', 'v1')),
    get(things('crates', 'v2'), TABLE),
    post(`${things('crates', 'v1')}?dryRun=All`, thing('v1', 'Crate', 'b', { old: 'o', both: 'b' })),
    post(`${things('crates', 'v1')}?fieldValidation=Strict`, thing('v1', 'Crate', 'c', { new: 'n' })),
    post(`${things('crates', 'v1')}?fieldValidation=Warn`, thing('v1', 'Crate', 'd', { new: 'n', old: 'o' })),
    remove(`${things('crates', 'v1')}/a`),
    remove(`${DEFINITIONS}/crates.{group}`),
  ),
  probe(
    'an object of the stored version, read and changed in another',
    ...served('boxes', 'Box', { storage: 'v2' }),
    post(things('boxes', 'v2'), thing('v2', 'Box', 'a', { new: 'n', both: 'b' })),
    get(`${things('boxes', 'v1')}/a`),
    get(things('boxes', 'v1')),
    patch('merge', `${things('boxes', 'v1')}/a`, { spec: { both: 'c', old: 'o' } }),
    get(`${things('boxes', 'v2')}/a`),
    patch('merge', `${things('boxes', 'v2')}/a`, { spec: { new: 'n' } }),
    patch('merge', `${things('boxes', 'v1')}/a/status`, { status: { phase: 'p', oldPhase: 'o' } }),
    get(`${things('boxes', 'v2')}/a/status`),
    patch('merge', `${things('boxes', 'v1')}/a/scale`, { spec: { replicas: 3 } }),
    get(`${things('boxes', 'v2')}/a`),
    remove(`${things('boxes', 'v1')}/a`),
    remove(`${DEFINITIONS}/boxes.{group}`),
  ),
  probe(
    'the stored version changes',
    ...served('cans', 'Can', { storage: 'v1' }),
    post(things('cans', 'v1'), thing('v1', 'Can', 'a', { old: 'o', both: 'b' })),
    post(things('cans', 'v2'), thing('v2', 'Can', 'b', { new: 'n', both: 'b' })),
    patch('json', `${DEFINITIONS}/cans.{group}`, [
      { op: 'replace', path: '/spec/versions/0/storage', value: false },
      { op: 'replace', path: '/spec/versions/1/storage', value: true },
    ]),
    untilStored('cans', 'Can'),
    get(`${things('cans', 'v1')}/a`),
    get(`${things('cans', 'v2')}/a`),
    get(`${things('cans', 'v2')}/b`),
    patch('merge', `${things('cans', 'v1')}/a`, {}),
    patch('merge', `${things('cans', 'v1')}/a`, {}),
    get(`${things('cans', 'v1')}/a`),
    get(`${things('cans', 'v2')}/a`),
    patch('merge', `${things('cans', 'v2')}/b`, {}),
    patch('merge', `${things('cans', 'v2')}/b`, {}),
    remove(`${DEFINITIONS}/cans.{group}`),
  ),
  probe(
    'watches of two versions',
    ...served('jars', 'Jar', { storage: 'v2' }),
    watch('v1', `${things('jars', 'v1')}?watch=true&resourceVersion=0`),
    watch('v2', `${things('jars', 'v2')}?watch=true&resourceVersion=0`),
    post(things('jars', 'v1'), thing('v1', 'Jar', 'a', { old: 'o', both: 'b' })),
    patch('merge', `${things('jars', 'v2')}/a`, { spec: { new: 'n' } }),
    remove(`${things('jars', 'v2')}/a`),
    collect('v1', 3),
    collect('v2', 3),
    remove(`${DEFINITIONS}/jars.{group}`),
  ),
  probe(
    'fields that were applied in two versions',
    ...served('tins', 'Tin', { storage: 'v2', isSame: true }),
    patch('apply', `${things('tins', 'v1')}/a?fieldManager=one`, thing('v1', 'Tin', 'a', { both: 'b', replicas: 1 })),
    patch('apply', `${things('tins', 'v2')}/a?fieldManager=two`, thing('v2', 'Tin', 'a', { both: 'b' })),
    patch('apply', `${things('tins', 'v2')}/a?fieldManager=one`, thing('v2', 'Tin', 'a', { both: 'b' })),
    patch('apply', `${things('tins', 'v1')}/a?fieldManager=two`, thing('v1', 'Tin', 'a', { both: 'c' })),
    patch('apply', `${things('tins', 'v1')}/a?fieldManager=two&force=true`, thing('v1', 'Tin', 'a', { both: 'c' })),
    get(`${things('tins', 'v2')}/a`),
    remove(`${DEFINITIONS}/tins.{group}`),
  ),
  probe(
    'fields that were applied in two versions, which do not know each other',
    ...served('cups', 'Cup', { storage: 'v2' }),
    patch('apply', `${things('cups', 'v1')}/a?fieldManager=one`, thing('v1', 'Cup', 'a', { old: 'o', both: 'b' })),
    patch('apply', `${things('cups', 'v2')}/a?fieldManager=two`, thing('v2', 'Cup', 'a', { new: 'n', both: 'b' })),
    remove(`${DEFINITIONS}/cups.{group}`),
  ),
  probe(
    'an object whose stored version is no longer served',
    ...served('pots', 'Pot', { storage: 'v1' }),
    post(things('pots', 'v1'), thing('v1', 'Pot', 'a', { old: 'o', both: 'b' })),
    patch('json', `${DEFINITIONS}/pots.{group}`, [
      { op: 'replace', path: '/spec/versions/0/storage', value: false },
      { op: 'replace', path: '/spec/versions/0/served', value: false },
      { op: 'replace', path: '/spec/versions/1/storage', value: true },
    ]),
    untilStored('pots', 'Pot'),
    get(`${things('pots', 'v2')}/a`),
    patch('merge', `${things('pots', 'v2')}/a`, { spec: { new: 'n' } }),
    remove(`${DEFINITIONS}/pots.{group}`),
  ),
];

interface Versions {
  readonly storage: 'v1' | 'v2';
  /** Whether both have the same fields. */
  readonly isSame?: boolean;
}

function things(plural: string, version: string): string {
  return `/apis/{group}/${version}/namespaces/{ns}/${plural}`;
}

function thing(version: string, kind: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: `{group}/${version}`, kind, metadata: { name }, spec };
}

/** Makes a definition, and waits until both versions are served. */
function served(plural: string, kind: string, versions: Versions): readonly (RequestStep | UntilStep)[] {
  return [
    post(DEFINITIONS, definition(plural, kind, { versions: twoVersions(versions) })),
    until(get(`/apis/{group}/v1/${plural}`), 'kind', `${kind}List`),
    until(get(`/apis/{group}/v2/${plural}`), 'kind', `${kind}List`),
  ];
}

function twoVersions({ storage, isSame = false }: Versions): JsonValue {
  const [v1, v2] = isSame ? [{}, {}] : [OLD_FIELDS, NEW_FIELDS];
  return [declared('v1', storage, v1), declared('v2', storage, v2)];
}

// A new object shows the defaults of its version only if that is the one that is stored.
function untilStored(plural: string, kind: string): UntilStep {
  const path = `${things(plural, 'v2')}?dryRun=All`;
  return until(post(path, thing('v2', kind, 'z', {})), 'spec.color', 'green');
}

function declared(name: string, storage: string, properties: JsonObject): JsonValue {
  const spec = {
    type: 'object',
    properties: {
      both: { type: 'string' },
      replicas: { type: 'integer' },
      ...properties,
    },
  };
  const phases = { phase: { type: 'string' }, [name === 'v1' ? 'oldPhase' : 'newPhase']: { type: 'string' } };
  const status = { type: 'object', properties: { replicas: { type: 'integer' }, ...phases } };
  return {
    name,
    served: true,
    storage: storage === name,
    schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
    subresources: {
      status: {},
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    },
  };
}
