import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import { objectAt, objectsAt, textAt, textsAt } from './read-object.ts';

/** Fills in what a CustomResourceDefinition may leave out: names, the conversion, the versions that are stored. */
export function defaultCustomResourceDefinition(crd: JsonObject): JsonObject {
  const spec = objectAt(crd, 'spec');
  const status = objectAt(crd, 'status');
  const names = defaultNames(objectAt(spec, 'names'));
  const conversion = defaultConversion(spec['conversion']);
  const storage = objectsAt(spec, 'versions').find((version) => version['storage'] === true);
  const isStored = storage === undefined || textsAt(status, 'storedVersions').length > 0;
  return {
    ...crd,
    spec: { ...spec, names, conversion },
    ...(isStored ? {} : { status: { ...status, storedVersions: [textAt(storage, 'name')] } }),
  };
}

function defaultNames(names: JsonObject): JsonObject {
  const kind = textAt(names, 'kind');
  const singular = textAt(names, 'singular') || kind.toLowerCase();
  const listKind = textAt(names, 'listKind') || (kind === '' ? '' : `${kind}List`);
  return {
    ...names,
    ...(singular === '' ? {} : { singular }),
    ...(listKind === '' ? {} : { listKind }),
  };
}

function defaultConversion(conversion: JsonValue | undefined): JsonObject {
  if (!isJsonObject(conversion)) return { strategy: 'None' };
  const webhook = objectAt(conversion, 'webhook');
  const clientConfig = objectAt(webhook, 'clientConfig');
  const { service } = clientConfig;
  if (!isJsonObject(service) || service['port'] !== undefined) return conversion;
  return {
    ...conversion,
    webhook: { ...webhook, clientConfig: { ...clientConfig, service: { ...service, port: 443 } } },
  };
}
