import { expect, it } from 'vitest';

import {
  expiredError,
  forbiddenError,
  generateNameConflictError,
  internalServerError,
  invalidError,
  methodNotAllowedError,
  notFoundError,
  serverTimeoutError,
  tooManyRequestsError,
  unclassifiedError,
} from './make-status-error.ts';
import { isConflict, isExpired, isNotFound, StatusError } from './status-error.ts';

const PODS = { group: '', plural: 'pods' };
const MACHINES = { group: 'bench.example.dev', plural: 'machines' };

it('carries the whole Status, in the order in which clients know it', () => {
  const error = notFoundError(MACHINES, 'm1');

  expect(JSON.stringify(error.status)).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"machines.bench.example.dev \\"m1\\" not found","reason":"NotFound","details":{"name":"m1","group":"bench.example.dev","kind":"machines"},"code":404}',
  );
});

it.each([
  { error: notFoundError(PODS, 'a"b'), message: String.raw`pods "a\"b" not found` },
  { error: forbiddenError(PODS, '', 'no'), message: 'pods is forbidden: no' },
  { error: forbiddenError({ group: '', plural: '' }, '', 'no'), message: 'forbidden: no' },
  {
    error: generateNameConflictError(PODS, 'a'),
    message: 'pods "a" already exists, the server was not able to generate a unique name for the object',
  },
  {
    error: methodNotAllowedError(MACHINES, 'patch'),
    message: 'patch is not supported on resources of kind "machines.bench.example.dev"',
  },
  {
    error: serverTimeoutError(PODS, 'list', 2),
    message: 'The list operation against pods could not be completed at this time, please try again.',
  },
  { error: internalServerError('boom'), message: 'Internal error occurred: boom' },
  { error: invalidError({ group: '', kind: 'Pod' }, 'p', []), message: 'Pod "p" is invalid' },
])('says $message', ({ error, message }) => {
  expect(error.status.message).toBe(message);
});

it('tells a client when to come back, and where to go on', () => {
  expect(tooManyRequestsError('slow down', 3).status.details).toEqual({ retryAfterSeconds: 3 });
  expect(expiredError('old', 'token').status.metadata).toEqual({ continue: 'token' });
});

it('leaves out a reason that says nothing, and passes its cause on', () => {
  const cause = new Error('deep');

  const error = unclassifiedError('odd', { cause });

  expect(error.status).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'odd',
    code: 500,
  });
  expect(error.cause).toBe(cause);
});

it('is told apart by its reason', () => {
  const error = notFoundError(PODS, 'p');

  expect([isNotFound(error), isConflict(error), isExpired(error), isNotFound(new Error('p'))]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(error).toBeInstanceOf(StatusError);
});
