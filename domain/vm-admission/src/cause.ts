/** What kind of mistake a cause tells of; the words are those of the `reason` in a Status. */
export type CauseType =
  | 'FieldValueInvalid'
  | 'FieldValueRequired'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueNotFound'
  | 'FieldValueForbidden';

/** One reason why a write is refused. */
export interface Cause {
  readonly type: CauseType;
  /** The words that existing clients know and compare. */
  readonly message: string;
  /** The path of the field; empty where the whole object is meant. */
  readonly field: string;
  /** What to do about it, where the message does not say. */
  readonly advice?: string;
}

/** A value that cannot be taken as it is. */
export function invalid(field: string, message: string, advice?: string): Cause {
  return causeOf('FieldValueInvalid', field, message, advice);
}

/** A value that has to be there and is not. */
export function required(field: string, message: string, advice?: string): Cause {
  return causeOf('FieldValueRequired', field, message, advice);
}

/** A value that makes sense but is not one of those that work here. */
export function notSupported(field: string, message: string, advice?: string): Cause {
  return causeOf('FieldValueNotSupported', field, message, advice);
}

/** A value that stands twice where it may stand once. */
export function duplicate(field: string, message: string, advice?: string): Cause {
  return causeOf('FieldValueDuplicate', field, message, advice);
}

/** A value that names something that does not exist. */
export function notFound(field: string, message: string, advice?: string): Cause {
  return causeOf('FieldValueNotFound', field, message, advice);
}

/** A value that this caller may not set. */
export function forbidden(field: string, message: string, advice?: string): Cause {
  return causeOf('FieldValueForbidden', field, message, advice);
}

function causeOf(type: CauseType, field: string, message: string, advice: string | undefined): Cause {
  return advice === undefined ? { type, message, field } : { type, message, field, advice };
}

/** The causes without those that say the same of the same field again. */
export function distinctCauses(causes: readonly Cause[]): readonly Cause[] {
  const seen = new Set<string>();
  return causes.filter(({ field, message }) => {
    const key = JSON.stringify([field, message]);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
