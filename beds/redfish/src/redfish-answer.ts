import type { ServerResponse } from 'node:http';

/** Sends a document, or nothing but a status and headers. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'odata-version': '4.0', ...headers });
  response.end(body === undefined ? '' : JSON.stringify(body));
}

/** An error body as the specification has it. */
export function errorBody(id: string, message: string): unknown {
  const info = { '@odata.type': '#Message.v1_1_1.Message', MessageId: id, Message: message };
  const general = 'A general error has occurred. See ExtendedInfo for more information.';
  return { error: { code: 'Base.1.8.GeneralError', message: general, '@Message.ExtendedInfo': [info] } };
}
