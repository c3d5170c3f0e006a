import { formatFieldError, type FieldError } from '@smalt/resource';

import { invalid, type Cause } from '../../cause.ts';

/** A cause that says what Kubernetes says about a part of a spec that it will see itself. */
export function fieldErrorCause(error: FieldError): Cause {
  return invalid(error.field, formatFieldError(error));
}
