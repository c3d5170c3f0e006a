const REQUEST_ID = /req-[\da-f\-]{36}/giv;

/**
 * The text of a failure as it was told before, if only the id of the request is another one. Words that change with each
 * try would wake the controller that says them, which would try again at once.
 */
export function settledMessage(told: string | undefined, message: string): string {
  return told !== undefined && withoutIds(told) === withoutIds(message) ? told : message;
}

function withoutIds(message: string): string {
  return message.replaceAll(REQUEST_ID, '');
}
