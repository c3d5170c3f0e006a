import type { JsonObject } from '@smalt/json';

import { BmcError, type BmcErrorCode } from '../bmc-error.ts';
import { scrubSecrets } from '../scrub-secrets.ts';
import { objectAt, objectsAt, parseDocument, textAt } from './redfish-document.ts';

export interface FailedAnswer {
  readonly what: string;
  readonly status: number;
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  readonly secrets: readonly string[];
  /** What a 404 means here. */
  readonly missing: BmcErrorCode;
}

/** The error that an HTTP status of 300 or more stands for, with the words of the controller. */
export function explainFailure(answer: FailedAnswer): BmcError {
  const { status, retryAfterMs } = answer;
  const document = readBody(answer.text);
  const words = scrubSecrets(extendedInfo(document), answer.secrets);
  const message = `${answer.what}: HTTP ${status}${words === '' ? '' : `: ${words}`}`;
  return new BmcError(codeOf(answer, words), message, { httpStatus: status, retryAfterMs });
}

function codeOf({ status, missing }: FailedAnswer, words: string): BmcErrorCode {
  // Vendors send this with 400, 403 or 503; it says nothing about the password.
  if (words.includes('SessionLimitExceeded')) return 'refused';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 404 || status === 410) return missing;
  return status < 400 ? 'bad-answer' : 'refused';
}

/** The messages of an error body, in the places where vendors put them. */
function extendedInfo(document: JsonObject | undefined): string {
  const error = objectAt(document, 'error');
  const infos = [...objectsAt(error, '@Message.ExtendedInfo'), ...objectsAt(document, '@Message.ExtendedInfo')];
  const lines = infos.map((info) =>
    [textAt(info, 'MessageId'), textAt(info, 'Message'), textAt(info, 'Resolution')]
      .filter((part) => part !== undefined)
      .join(' '),
  );
  if (lines.length > 0) return lines.join('; ');
  return [textAt(error, 'code'), textAt(error, 'message')].filter((part) => part !== undefined).join(' ');
}

function readBody(text: string): JsonObject | undefined {
  try {
    return parseDocument(text, '');
  } catch {
    // Error pages of web servers are HTML: the status has to do.
    return undefined;
  }
}
