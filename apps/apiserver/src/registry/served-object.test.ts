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

it('shows an object of a version that is declared no more by the schema of the one that is asked for', () => {
  const only = machines();
  const asked = {
    ...only,
    versions: { stored: 'bench.example.dev/v2', all: new Map([['bench.example.dev/v1', only]]) },
  };

  const { value } = new ServedObjects().view(asked, written(undefined, 'bench.example.dev/v0'));

  expect(value).toMatchObject({ apiVersion: 'bench.example.dev/v1', spec: { cpus: 1 } });
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

function written(form: number | undefined, apiVersion = 'bench.example.dev/v1'): StoredObject {
  const text = `{"apiVersion":"${apiVersion}","kind":"Machine","metadata":{"name":"a"},"spec":{}}`;
  return new StoredObject({ key: 'default/a', resourceVersion: 1, bytes: Buffer.from(text), form });
}
