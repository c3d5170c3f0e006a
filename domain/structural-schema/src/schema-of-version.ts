import { isJsonObject, type JsonObject } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { objectAt } from './read-object.ts';

/** The schema of a version of a CustomResourceDefinition, as it stands there. */
export function schemaOfVersion(version: JsonObject): Schema | undefined {
  const schema = objectAt(version, 'schema')['openAPIV3Schema'];
  // Everything that reads a schema bears fields of the wrong type, because people write them.
  return isJsonObject(schema) ? schema : undefined;
}
