import type { Cause } from '@smalt/vm-admission';

/** A field that a machine and its instance type both set. */
export function conflictCause(field: string): Cause {
  return {
    type: 'FieldValueInvalid',
    field,
    message: `VM field(s) ${field} conflicts with selected instance type`,
    advice: `Leave ${field} out: the instance type says it. Or leave spec.instancetype out.`,
  };
}

/** A text that says something. */
export function isSaid(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

/** The fields of a list of which something is the case. */
export function fieldsThat(found: readonly (readonly [field: string, is: boolean])[]): readonly string[] {
  return found.flatMap(([field, is]) => (is ? [field] : []));
}
