import { createHash } from 'node:crypto';

import { printJson, type JsonValue } from '@smalt/json';
import type { Resource } from '@smalt/resource';

const FORM_BYTES = 6;
/** To be raised when the same schema makes another object of the same input. */
const RULES_VERSION = 1;

/**
 * Numbers for the forms that custom resources are stored in: the same schema gives the same number, also after a restart.
 * A built-in kind has none, for what it looks like is decided by code.
 */
export class Forms {
  readonly #known = new WeakMap<Resource, number>();

  of(resource: Resource): number | undefined {
    if (resource.isBuiltIn) return undefined;
    let form = this.#known.get(resource);
    if (form === undefined) {
      form = hashOf(resource);
      this.#known.set(resource, form);
    }
    return form;
  }
}

function hashOf({ group, version, kind, schema }: Resource): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema is made of JSON
  const text = printJson([RULES_VERSION, group, version, kind, schema as JsonValue]);
  return createHash('sha256').update(text).digest().readUIntBE(0, FORM_BYTES);
}
