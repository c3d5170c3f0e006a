import { get, patch, post, probe, rawPatch, remove, type Probe } from '../probe.ts';
import { CONFIG_MAPS, DEPLOYMENTS, MACHINES } from '../paths.ts';
import { configMap, deployment, machine } from '../sample-objects.ts';

const STRICT = '?fieldValidation=Strict';
const WARN = '?fieldValidation=Warn';
const IGNORE = '?fieldValidation=Ignore';
const yaml = { 'content-type': 'application/yaml' };

/** How requests that cannot be read are refused, and with which words. */
export const refusalProbes: readonly Probe[] = [
  probe(
    'a body that is no JSON',
    post(CONFIG_MAPS, '{"apiVersion":'),
    post(CONFIG_MAPS, 'nonsense'),
    post(MACHINES, '{"apiVersion":'),
    post(MACHINES, 'nonsense'),
  ),
  probe('a body that is empty', post(CONFIG_MAPS, ''), post(MACHINES, '')),
  probe('a body that is no object', post(CONFIG_MAPS, '[]'), post(CONFIG_MAPS, '"x"'), post(MACHINES, '[]')),
  probe(
    'fields of a wrong type',
    post(CONFIG_MAPS, { ...configMap('a'), data: 'x' }),
    post(CONFIG_MAPS, { ...configMap('a'), metadata: { name: 5 } }),
    post(CONFIG_MAPS, { ...configMap('a'), data: { a: 1 } }),
    post(DEPLOYMENTS, deployment('a', { replicas: 'two' })),
    post(MACHINES, machine('a', { cpus: 'two' })),
    post(MACHINES, { ...machine('a'), metadata: { name: 'a', labels: { a: 1 } } }),
  ),
  probe(
    'a body of an unknown type',
    post(CONFIG_MAPS, 'x', { headers: { 'content-type': 'text/plain' } }),
    post(MACHINES, 'x', { headers: { 'content-type': 'text/plain' } }),
  ),
  probe(
    'a patch of an unknown type',
    patch('merge', `${CONFIG_MAPS}/a`, {}, { headers: { 'content-type': 'application/json' } }),
    patch('strategic', `${MACHINES}/a`, {}),
    patch('merge', `${CONFIG_MAPS}/a`, {}, { headers: { 'content-type': 'text/plain' } }),
  ),
  probe(
    'an answer of an unknown type',
    get(CONFIG_MAPS, { headers: { accept: 'text/html' } }),
    get(MACHINES, { headers: { accept: 'application/vnd.kubernetes.protobuf' } }),
    get(CONFIG_MAPS, { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v9' } }),
  ),
  probe(
    'an answer in any of several types',
    get(`${CONFIG_MAPS}/a`, { headers: { accept: 'text/html, application/json' } }),
    get(`${CONFIG_MAPS}/a`, { headers: { accept: '*/*' } }),
    get(`${CONFIG_MAPS}/a`, { headers: { accept: 'application/*' } }),
  ),
  probe(
    'unknown fields, strictly',
    post(`${CONFIG_MAPS}${STRICT}`, { ...configMap('a'), odd: 1, other: { x: 1 } }),
    post(`${DEPLOYMENTS}${STRICT}`, deployment('a', { odd: 1 })),
    post(`${MACHINES}${STRICT}`, machine('a', { odd: 1, disks: [{ name: 'a', odd: 2 }] })),
    post(`${MACHINES}${STRICT}`, { ...machine('a', {}, { odd: 'x' }), top: 1 }),
  ),
  probe(
    'unknown fields, with a warning',
    post(`${CONFIG_MAPS}${WARN}`, { ...configMap('a'), odd: 1, other: { x: 1 } }),
    post(`${DEPLOYMENTS}${WARN}`, deployment('a', { odd: 1 })),
    post(`${MACHINES}${WARN}`, machine('a', { odd: 1, disks: [{ name: 'a', odd: 2 }] })),
  ),
  probe(
    'unknown fields, ignored',
    post(`${CONFIG_MAPS}${IGNORE}`, { ...configMap('a'), odd: 1 }),
    post(`${MACHINES}${IGNORE}`, machine('a', { odd: 1 })),
  ),
  probe(
    'unknown fields when nothing is said',
    post(CONFIG_MAPS, { ...configMap('a'), odd: 1 }),
    post(MACHINES, machine('a', { odd: 1 })),
  ),
  probe(
    'fields given twice, strictly',
    post(
      `${CONFIG_MAPS}${STRICT}`,
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1","a":"2"},"data":{"b":"1"}}',
    ),
    post(
      `${MACHINES}${STRICT}`,
      '{"apiVersion":"{group}/v1","kind":"Machine","metadata":{"name":"a"},"spec":{"cpus":1,"cpus":2}}',
    ),
  ),
  probe(
    'fields given twice, with a warning',
    post(
      `${CONFIG_MAPS}${WARN}`,
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"1","a":"2"}}',
    ),
    post(
      `${MACHINES}${WARN}`,
      '{"apiVersion":"{group}/v1","kind":"Machine","metadata":{"name":"a"},"spec":{"cpus":1,"cpus":2}}',
    ),
  ),
  probe(
    'fields given twice in a patch, strictly',
    post(CONFIG_MAPS, configMap('a')),
    post(MACHINES, machine('a')),
    rawPatch('merge', `${CONFIG_MAPS}/a${STRICT}`, '{"data":{"a":"1","a":"2"}}'),
    rawPatch('strategic', `${CONFIG_MAPS}/a${STRICT}`, '{"data":{"a":"1","a":"2"}}'),
    rawPatch('json', `${CONFIG_MAPS}/a${STRICT}`, '[{"op":"add","path":"/data/b","value":"1","value":"2"}]'),
    rawPatch('merge', `${MACHINES}/a${STRICT}`, '{"spec":{"cpus":1,"cpus":2,"odd":1}}'),
  ),
  probe(
    'fields given twice in a patch, with a warning',
    post(CONFIG_MAPS, configMap('a')),
    post(MACHINES, machine('a')),
    rawPatch('merge', `${CONFIG_MAPS}/a${WARN}`, '{"data":{"a":"1","a":"2"}}'),
    rawPatch('strategic', `${CONFIG_MAPS}/a`, '{"data":{"a":"1","a":"3"}}'),
    rawPatch('json', `${CONFIG_MAPS}/a${WARN}`, '[{"op":"add","path":"/data/b","value":"1","value":"2","odd":1}]'),
    rawPatch('merge', `${MACHINES}/a${WARN}`, '{"spec":{"cpus":1,"cpus":2,"odd":1}}'),
    rawPatch('merge', `${MACHINES}/a?fieldValidation=Ignore`, '{"spec":{"cpus":1,"cpus":3}}'),
  ),
  probe(
    'an unknown fieldValidation',
    post(`${CONFIG_MAPS}?fieldValidation=Odd`, configMap('a')),
    post(`${MACHINES}?fieldValidation=Odd`, machine('a')),
  ),
  probe(
    'strict patches',
    post(CONFIG_MAPS, configMap('a')),
    post(MACHINES, machine('a')),
    patch('merge', `${CONFIG_MAPS}/a${STRICT}`, { odd: 1 }),
    patch('merge', `${MACHINES}/a${STRICT}`, { spec: { odd: 1 } }),
    patch('strategic', `${CONFIG_MAPS}/a${STRICT}`, { odd: 1 }),
    patch('json', `${MACHINES}/a${STRICT}`, [{ op: 'add', path: '/spec/odd', value: 1 }]),
    patch('merge', `${MACHINES}/a${WARN}`, { spec: { odd: 1 } }),
  ),
  probe(
    'YAML',
    post(CONFIG_MAPS, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: "1"\n', { headers: yaml }),
    post(MACHINES, 'apiVersion: {group}/v1\nkind: Machine\nmetadata:\n  name: a\nspec:\n  cpus: 4\n', {
      headers: yaml,
    }),
    post(CONFIG_MAPS, 'a: b: c', { headers: yaml }),
  ),
  probe(
    'YAML for an answer',
    post(CONFIG_MAPS, configMap('a')),
    get(`${CONFIG_MAPS}/nothing`, { headers: { accept: 'application/yaml' } }),
  ),
  probe(
    'dry run',
    post(`${CONFIG_MAPS}?dryRun=All`, configMap('a')),
    get(`${CONFIG_MAPS}/a`),
    post(CONFIG_MAPS, configMap('a')),
    patch('merge', `${CONFIG_MAPS}/a?dryRun=All`, { data: { b: '2' } }),
    remove(`${CONFIG_MAPS}/a?dryRun=All`),
    get(`${CONFIG_MAPS}/a`),
    remove(`${CONFIG_MAPS}/a`, { dryRun: ['All'] }),
  ),
  probe(
    'an unknown dry run',
    post(`${CONFIG_MAPS}?dryRun=Odd`, configMap('a')),
    post(`${MACHINES}?dryRun=Odd`, machine('a')),
    remove(`${CONFIG_MAPS}/a?dryRun=Odd`),
    patch('merge', `${CONFIG_MAPS}/a?dryRun=Odd`, {}),
  ),
  probe(
    'a field manager that is too long',
    post(`${CONFIG_MAPS}?fieldManager=${'x'.repeat(129)}`, configMap('a')),
    post(`${CONFIG_MAPS}?fieldManager=a%00b`, configMap('a')),
  ),
];
