import type { JsonObject } from '@smalt/json';
import {
  KubernetesError,
  matchesFields,
  matchesLabels,
  parseFieldSelector,
  parseLabelSelector,
  type FieldSelector,
  type LabelSelector,
} from '@smalt/kubernetes';
import { goQuote, type Resource } from '@smalt/resource';

import { badRequestError } from '../errors/make-status-error.ts';
import type { Concern } from '../store/listeners.ts';
import type { StoredObject } from '../store/stored-object.ts';

/** The selectors of a request as they stand in its query. */
export interface SelectorText {
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

/** Which objects of a resource are meant. */
export interface ObjectSelector {
  readonly isEmpty: boolean;
  /** Set when only one name can match. */
  readonly name: string | undefined;
  /** Set when only one namespace can match. */
  readonly namespace: string | undefined;
  /** Something that all objects which match have in common; set where there is such a thing. */
  readonly concern: Concern | undefined;
  matches(object: StoredObject): boolean;
}

/** Reads the selectors of a request. Throws 400 when one is malformed or names a field that cannot be selected by. */
export function objectSelector(resource: Resource, text: SelectorText): ObjectSelector {
  const labels = parse(parseLabelSelector, text.labelSelector);
  const fields = parse(parseFieldSelector, text.fieldSelector);
  for (const { field } of fields.requirements) checkField(resource, field);
  return {
    isEmpty: labels.requirements.length === 0 && fields.requirements.length === 0,
    name: onlyValue(fields, 'metadata.name'),
    namespace: onlyValue(fields, 'metadata.namespace'),
    concern: fieldConcern(resource, fields) ?? labelConcern(labels),
    matches: (object) => {
      const isMeant =
        fields.requirements.length === 0 || matchesFields(fields, (field) => readField(resource, field, object));
      if (!isMeant) return false;
      return labels.requirements.length === 0 || matchesLabels(labels, textsIn(object.labels));
    },
  };
}

function parse<T extends LabelSelector | FieldSelector>(parser: (text: string) => T, text: string | undefined): T {
  try {
    return parser(text ?? '');
  } catch (error) {
    if (!(error instanceof KubernetesError)) throw error;
    throw badRequestError(error.message, { cause: error });
  }
}

function checkField(resource: Resource, field: string): void {
  if (field === 'metadata.name' || resource.selectableFields.has(field)) return;
  if (field === 'metadata.namespace') return;
  if (resource.isBuiltIn && resource.selectableFields.size > 0) {
    throw badRequestError(`field label not supported: ${field}`);
  }
  throw badRequestError(
    resource.isBuiltIn
      ? `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`
      : `field label not supported: ${field}`,
  );
}

function onlyValue(fields: FieldSelector, field: string): string | undefined {
  return fields.requirements.find((requirement) => requirement.field === field && requirement.isEqual)?.value;
}

// What a field of a custom resource is may change with its definition, while watches go on.
function fieldConcern(resource: Resource, { requirements }: FieldSelector): Concern | undefined {
  const isLasting = (field: string): boolean =>
    field === 'metadata.name' || (resource.isBuiltIn && field !== 'metadata.namespace');
  const found = requirements.find(({ field, isEqual }) => isEqual && isLasting(field));
  if (found === undefined) return undefined;
  const { field, value } = found;
  return { name: `field ${field}`, value, read: (object) => readField(resource, field, object) };
}

function labelConcern({ requirements }: LabelSelector): Concern | undefined {
  for (const requirement of requirements) {
    if (requirement.operator !== 'in' || requirement.values.length !== 1) continue;
    const { key, values } = requirement;
    return { name: `label ${key}`, value: values[0] ?? '', read: ({ labels }) => textsIn(labels)[key] };
  }
  return undefined;
}

function readField(resource: Resource, field: string, object: StoredObject): string {
  if (field === 'metadata.name') return object.name;
  if (field === 'metadata.namespace') return object.namespace;
  return object.field(field, (value) => resource.selectableFields.get(field)?.(value) ?? '');
}

function textsIn(labels: JsonObject): Readonly<Record<string, string>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object with other labels is never stored
  return labels as Readonly<Record<string, string>>;
}
