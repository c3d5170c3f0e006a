import type { Resource } from '@smalt/resource';
import { expect, it } from 'vitest';

import { StoredObject } from '../store/stored-object.ts';
import { machines } from './fixtures/test-resources.ts';
import { ServedObjects } from './served-object.ts';

it('shows an object that was stored with the same schema without reading it, also after a restart', () => {
  const stored = unread(new ServedObjects().forms.of(machines()));

  const view = new ServedObjects().view(machines(), stored);

  expect(view).toBe(stored);
});

it('brings an object into its present form when the schema has changed since', () => {
  const served = new ServedObjects();
  const changed = machines({ schema: { type: 'object', properties: { spec: { type: 'object' } } } });

  const { value } = served.view(changed, written(served.forms.of(machines())));

  expect(value).toMatchObject({ spec: { cpus: 1 } });
});

it('looks at every object of a built-in kind, for code decides what it looks like', () => {
  const builtIn: Resource = { ...machines(), isBuiltIn: true };

  expect(new ServedObjects().forms.of(builtIn)).toBeUndefined();
});

function unread(form: number | undefined): StoredObject {
  return new StoredObject({ key: 'default/a', resourceVersion: 1, bytes: { length: 2, read: refuseToRead }, form });
}

function refuseToRead(): never {
  throw new Error('the object was read');
}

function written(form: number | undefined): StoredObject {
  const text = '{"apiVersion":"bench.example.dev/v1","kind":"Machine","metadata":{"name":"a"},"spec":{}}';
  return new StoredObject({ key: 'default/a', resourceVersion: 1, bytes: Buffer.from(text), form });
}
