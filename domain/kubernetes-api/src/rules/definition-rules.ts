import type { JsonObject } from '@smalt/json';
import type * as StructuralSchema from '@smalt/structural-schema';

import { withField } from '../edit-object.ts';
import { KubernetesApiError } from '../kubernetes-api-error.ts';
import { itemsAt, objectAt, textAt, textsAt } from '../read-path.ts';
import type { KindRules } from './kind-rules.ts';

/** The rules of definitions. Schemas and their expressions are megabytes of code, loaded with the first definition. */
export function customResourceDefinitionRules(): KindRules {
  let loaded: typeof StructuralSchema | undefined;
  const load = async (): Promise<void> => {
    loaded = await import('@smalt/structural-schema');
  };
  const schemas = (): typeof StructuralSchema => {
    if (loaded === undefined) throw new KubernetesApiError('not-loaded', 'the rules of definitions are not loaded yet');
    return loaded;
  };
  return {
    validatesMetadata: true,
    load: () => (loaded === undefined ? load() : undefined),
    default: (object) => schemas().defaultCustomResourceDefinition(object),
    prepareForUpdate: withStorageVersion,
    validate: (object) => schemas().validateCustomResourceDefinition(object),
    validateUpdate: (object, old) => schemas().validateCustomResourceDefinition(object, old),
  };
}

/** Objects may be stored in the version that is the one for storage from now on, beside those they were stored in before. */
function withStorageVersion(crd: JsonObject): JsonObject {
  const storage = itemsAt(crd, 'spec', 'versions').find((version) => version['storage'] === true);
  const name = storage === undefined ? '' : textAt(storage, 'name');
  const stored = textsAt(crd, 'status', 'storedVersions');
  if (name === '' || stored.includes(name)) return crd;
  return withField(crd, 'status', { ...objectAt(crd, 'status'), storedVersions: [...stored, name] });
}
