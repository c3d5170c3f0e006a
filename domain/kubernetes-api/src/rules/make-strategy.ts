import { isJsonObject, type JsonObject } from '@smalt/json';
import { validateObjectMeta, validateObjectMetaUpdate, type FieldError, type Strategy } from '@smalt/resource';
import { checkDns1123Subdomain } from '@smalt/kubernetes';

import { findMessageType } from '../catalog.ts';
import { withField, withoutField } from '../edit-object.ts';
import type { KindLine } from '../kind-line.ts';
import { KubernetesApiError } from '../kubernetes-api-error.ts';
import type { MessageType } from '../message-type.ts';
import { readObject } from '../read-object.ts';
import { objectAt } from '../read-path.ts';
import type { KindRules } from './kind-rules.ts';

/** What a strategy has to know about how its kind is served. */
type StrategyKind = Pick<KindLine, 'kind' | 'isNamespaced' | 'hasStatus'>;

/** The strategy of a built-in kind: its fields from the tables, the rest from its rules. */
export function makeStrategy(apiVersion: string, line: StrategyKind, rules: KindRules): Strategy {
  const { kind } = line;
  const read = (object: JsonObject): JsonObject => readObject(object, typeOf(apiVersion, kind)).object;
  const metaRules = { isNamespaced: line.isNamespaced, nameRule: rules.nameRule ?? checkDns1123Subdomain };
  const defaulted = (object: JsonObject): JsonObject => {
    const typed = read(object);
    return rules.default?.(typed) ?? typed;
  };
  return {
    default: defaulted,
    prune: (object) => readObject(object, typeOf(apiVersion, kind)),
    prepareForCreate: (object) => {
      const fresh =
        line.hasStatus && rules.keepsStatusOnCreate !== true ? defaulted(withoutField(object, 'status')) : object;
      return rules.prepareForCreate?.(fresh) ?? fresh;
    },
    prepareForUpdate: (object, old) => {
      const kept = line.hasStatus ? withStatusOf(object, old) : object;
      return rules.prepareForUpdate?.(kept, old) ?? kept;
    },
    validate: (object) => [
      ...(rules.validatesMetadata === true ? [] : validateObjectMeta(objectAt(object, 'metadata'), metaRules)),
      ...(rules.validate?.(object) ?? []),
    ],
    validateUpdate: (object, old) => changes(rules, object, old),
    validateStatusUpdate: (object, old) => [
      ...metaUpdate(object, old),
      ...(rules.validateStatusUpdate?.(object, old) ?? []),
    ],
    warnings: (object) => rules.warnings?.(object) ?? [],
  };
}

function changes(rules: KindRules, object: JsonObject, old: JsonObject): readonly FieldError[] {
  const own = rules.validateUpdate?.(object, old) ?? [];
  return rules.validatesMetadata === true
    ? own
    : [...metaUpdate(object, old), ...(rules.validate?.(object) ?? []), ...own];
}

function metaUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return validateObjectMetaUpdate(objectAt(object, 'metadata'), objectAt(old, 'metadata'));
}

function withStatusOf(object: JsonObject, old: JsonObject): JsonObject {
  const status = Object.hasOwn(old, 'status') ? old['status'] : undefined;
  return isJsonObject(status) ? withField(object, 'status', status) : withoutField(object, 'status');
}

function typeOf(apiVersion: string, kind: string): MessageType {
  const type = findMessageType(apiVersion, kind);
  if (type === undefined) throw new KubernetesApiError('unknown-kind', `there is no ${kind} in ${apiVersion}`);
  return type;
}
