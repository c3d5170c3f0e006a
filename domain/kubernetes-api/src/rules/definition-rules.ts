import type { JsonObject } from '@smalt/json';
import { defaultCustomResourceDefinition, validateCustomResourceDefinition } from '@smalt/structural-schema';

import { withField } from '../edit-object.ts';
import { itemsAt, objectAt, textAt, textsAt } from '../read-path.ts';
import type { KindRules } from './kind-rules.ts';

export const customResourceDefinitionRules: KindRules = {
  validatesMetadata: true,
  default: defaultCustomResourceDefinition,
  prepareForUpdate: withStorageVersion,
  validate: (object) => validateCustomResourceDefinition(object),
  validateUpdate: (object, old) => validateCustomResourceDefinition(object, old),
};

/** Objects may be stored in the version that is the one for storage from now on, beside those they were stored in before. */
function withStorageVersion(crd: JsonObject): JsonObject {
  const storage = itemsAt(crd, 'spec', 'versions').find((version) => version['storage'] === true);
  const name = storage === undefined ? '' : textAt(storage, 'name');
  const stored = textsAt(crd, 'status', 'storedVersions');
  if (name === '' || stored.includes(name)) return crd;
  return withField(crd, 'status', { ...objectAt(crd, 'status'), storedVersions: [...stored, name] });
}
