import { isJsonObject, type JsonObject } from '@smalt/json';
import { formatFieldErrorBody, type FieldError, type Strategy } from '@smalt/resource';

/** An object that is written, and what Kubernetes has to say about it. */
export interface KindCase {
  readonly title: string;
  readonly object: JsonObject;
  /** What is stored already; without it the object is new. */
  readonly old?: JsonObject;
  /** Whether it is written to the status subresource. */
  readonly isStatus?: boolean;
  /** As `field: message`, in any order; none when the object is accepted. */
  readonly errors: readonly string[];
}

/** What stands beside errors so grave that rules were not looked at. */
export const RULES_NOT_CHECKED: string =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

/** What the writer of the object is told, as `field: message`, on the way that a server takes it. */
export function complaintsAbout(strategy: Strategy, { object, old, isStatus }: KindCase): readonly string[] {
  return validate(strategy, { object, old, isStatus }).map((error) => `${error.field}: ${formatFieldErrorBody(error)}`);
}

interface Write {
  readonly object: JsonObject;
  readonly old: JsonObject | undefined;
  readonly isStatus: boolean | undefined;
}

function validate(strategy: Strategy, { object, old, isStatus }: Write): readonly FieldError[] {
  const ready = (written: JsonObject): JsonObject => strategy.default(strategy.prune(written).object);
  if (old === undefined) return strategy.validate(strategy.prepareForCreate(ready(object)));
  const [next, before] = [ready(stored(object)), ready(stored(old))];
  if (isStatus === true) return strategy.validateStatusUpdate(next, before);
  return strategy.validateUpdate(strategy.prepareForUpdate(next, before), before);
}

function stored(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  return { ...object, metadata: { ...(isJsonObject(metadata) ? metadata : {}), resourceVersion: '1', uid: 'u' } };
}
