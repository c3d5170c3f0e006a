import type { JsonObject } from '@smalt/json';

import { fillIn, withChild, withItems } from '../edit-object.ts';
import { itemsAt } from '../read-path.ts';

export function defaultNetworkPolicy(object: JsonObject): JsonObject {
  return withChild(object, 'spec', (spec) => {
    const policyTypes = itemsAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
    return ['ingress', 'egress'].reduce(
      (result, name) => withItems(result, name, (rule) => withItems(rule, 'ports', defaultPort)),
      fillIn(spec, { policyTypes }),
    );
  });
}

export function defaultIngressClass(object: JsonObject): JsonObject {
  return withChild(object, 'spec', (spec) =>
    withChild(spec, 'parameters', (parameters) => fillIn(parameters, { scope: 'Cluster' })),
  );
}

function defaultPort(port: JsonObject): JsonObject {
  return fillIn(port, { protocol: 'TCP' });
}
