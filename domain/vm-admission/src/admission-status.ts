import type { Status, StatusCause } from '@smalt/kubernetes';

import type { Cause } from './cause.ts';

/** How many causes the message of a Status spells out; all of them are in its details. */
const SHOWN_IN_MESSAGE = 10;

/** The causes as one line, as existing clients know it: joined by commas, and after ten of them only how many more. */
export function causesMessage(causes: readonly Cause[]): string {
  const shown = causes.slice(0, SHOWN_IN_MESSAGE).map(({ message }) => message);
  const rest = causes.length - shown.length;
  return [...shown, ...(rest > 0 ? [`and ${rest} more validation errors`] : [])].join(', ');
}

/** The answer to a write that is refused: 422, with every cause and what to do about it in the details. */
export function refusalOfCauses(causes: readonly Cause[]): Status {
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message: causesMessage(causes),
    reason: 'Invalid',
    details: { causes: causes.map(statusCause) },
    code: 422,
  };
}

function statusCause({ type, message, field, advice }: Cause): StatusCause {
  const text = advice === undefined ? message : `${message} ${advice}`;
  return { reason: type, message: text, ...(field === '' ? {} : { field }) };
}
