import { expect, it } from 'vitest';

import { podObject } from '../fixtures/pods.ts';
import { downwardFiles, filesOf } from './volume-files.ts';

const all = { items: undefined, isOptional: false };
const object = { apiVersion: 'v1', metadata: { name: 'x' } };

it('takes texts of config maps as they are, and those of secrets from base64', () => {
  const data = { key: 'aGk=' };

  expect([...filesOf({ ...object, kind: 'ConfigMap', data }, all, 'x')]).toEqual([['key', Buffer.from('aGk=')]]);
  expect([...filesOf({ ...object, kind: 'Secret', data }, all, 'x')]).toEqual([['key', Buffer.from('hi')]]);
});

it('takes binary data too', () => {
  const files = filesOf({ ...object, kind: 'ConfigMap', binaryData: { key: '/w==' } }, all, 'x');

  expect(files.get('key')).toEqual(Buffer.from([0xff]));
});

it('leaves out keys that are no names of files', () => {
  const files = filesOf({ ...object, kind: 'ConfigMap', data: { '..': 'a', 'b/c': 'd', fine: 'e' } }, all, 'x');

  expect([...files.keys()]).toEqual(['fine']);
});

it('names a key that is missing', () => {
  const choice = { items: [{ key: 'k', path: 'f' }], isOptional: false };

  expect(() => filesOf({ ...object, kind: 'Secret' }, choice, 'the Secret a/b')).toThrow(
    'the Secret a/b has no key "k"',
  );
});

it.each([
  { field: 'metadata.name', text: 'virt-launcher-vm' },
  { field: 'metadata.namespace', text: 'default' },
  { field: 'metadata.uid', text: '6a7f0000-0000-4000-8000-000000000001' },
  { field: 'metadata.labels', text: 'a="1"\nb="\\"2\\""' },
  { field: "metadata.labels['b']", text: '"2"' },
  { field: 'metadata.annotations', text: '' },
])('shows $field', ({ field, text }) => {
  const { metadata } = podObject();
  const pod = podObject({ metadata: { ...metadata, labels: { b: '"2"', a: '1' } } });

  expect(
    downwardFiles(pod, [{ path: 'f', field }])
      .get('f')
      ?.toString(),
  ).toBe(text);
});

it('refuses other fields of a pod', () => {
  expect(() => downwardFiles(podObject(), [{ path: 'f', field: 'status.podIP' }])).toThrow('"status.podIP"');
});
