import { expect, it } from 'vitest';

import { fieldPath, parseYamlObject, placeCauses } from './place-causes.ts';

const TEXT = `kind: VirtualMachine
metadata:
  name: Bad
spec:
  volumes:
    - name: root
    - name: seed
      emptyDisk: {}
`;

it('reads an object', () => {
  expect(parseYamlObject('a: 1')).toEqual({ kind: 'object', object: { a: 1 } });
});

it.each([
  { text: 'a: [1', line: 1 },
  { text: 'a: 1\nb: "x', line: 2 },
  { text: '- a', line: 1 },
  { text: '', line: 1 },
])('says where $text goes wrong', ({ text, line }) => {
  const parsed = parseYamlObject(text);

  expect(parsed).toMatchObject({ kind: 'problems', problems: [{ line }] });
});

it.each([
  { field: 'metadata.name', line: 3 },
  { field: 'spec.volumes[1].emptyDisk', line: 8 },
  { field: 'spec.volumes[0].name', line: 6 },
  { field: 'spec.volumes[1].emptyDisk.capacity', line: 8 },
  { field: 'status.phase', line: 1 },
])('puts a cause about $field at line $line', ({ field, line }) => {
  expect(placeCauses(TEXT, [{ field, message: 'is wrong' }])).toEqual([{ line, message: `${field}: is wrong` }]);
});

it('takes the path of a field apart', () => {
  expect(fieldPath('spec.disks[0].labels["a.b/c"].x')).toEqual(['spec', 'disks', 0, 'labels', 'a.b/c', 'x']);
});
