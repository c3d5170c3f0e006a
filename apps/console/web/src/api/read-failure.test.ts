import { expect, it } from 'vitest';

import { readFailure } from './read-failure.ts';

it('has all causes of a Status, with their fields', () => {
  const causes = [
    { reason: 'FieldValueInvalid', field: 'spec.a', message: 'is wrong' },
    { field: 'spec.b', message: 'is missing' },
  ];
  const body = { kind: 'Status', message: 'two things are wrong', details: { causes } };

  const error = readFailure(422, JSON.stringify(body));

  expect(error).toMatchObject({ code: 'invalid', status: 422, message: 'two things are wrong', causes });
});

it("has the field of the console's own answer", () => {
  const error = readFailure(400, '{"message":"token is empty","field":"token"}');

  expect(error.causes).toEqual([{ field: 'token', message: 'token is empty' }]);
});

it('has the fields of a problem of the agent of a switch', () => {
  const problems = [{ field: 'packet.vlan', message: 'must be a number' }];

  const error = readFailure(422, JSON.stringify({ title: 'invalid request', detail: 'the packet is wrong', problems }));

  expect(error).toMatchObject({ message: 'the packet is wrong', causes: problems });
});

it.each([
  { status: 401, code: 'signed-out' },
  { status: 403, code: 'refused' },
  { status: 404, code: 'not-found' },
  { status: 409, code: 'conflict' },
  { status: 429, code: 'busy' },
  { status: 503, code: 'unreachable' },
  { status: 500, code: 'failed' },
])('is $code for $status, whatever the body is', ({ status, code }) => {
  const error = readFailure(status, '<html>');

  expect(error).toMatchObject({ code, status, causes: [] });
  expect(error.message).toContain(String(status));
});
