import type { IncomingHttpHeaders } from 'node:http';

import { expect, it } from 'vitest';

import { isConsoleError } from '../console-error.ts';
import { checkSource, type RequestSource } from './check-source.ts';

const OWN = 'http://own';
const HEADER = { 'x-smalt-console': '1' };

it.each([
  { what: 'a page opened by hand', source: { route: 'pages', headers: { 'sec-fetch-site': 'none' } } },
  { what: 'a link on another site to a page', source: { route: 'pages', headers: { 'sec-fetch-site': 'cross-site' } } },
  { what: 'a one-time link in a mail', source: { route: 'enter', headers: { 'sec-fetch-site': 'cross-site' } } },
  { what: 'a read of our page', source: { headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' } } },
  { what: 'a read of a program', source: { headers: {} } },
  { what: 'a read of another site', source: { headers: { 'sec-fetch-site': 'cross-site' } }, field: 'Sec-Fetch-Site' },
  { what: 'one of a neighbour', source: { headers: { 'sec-fetch-site': 'same-site' } }, field: 'Sec-Fetch-Site' },
  { what: 'an answer as a script', source: { headers: { 'sec-fetch-dest': 'script' } }, field: 'Sec-Fetch-Dest' },
  { what: 'an answer in a frame', source: { headers: { 'sec-fetch-dest': 'iframe' } }, field: 'Sec-Fetch-Dest' },
  { what: 'a read with another Origin', source: { headers: { origin: 'http://evil' } }, field: 'Origin' },
  { what: 'a write of our page', source: { method: 'POST', headers: { ...HEADER, origin: OWN } } },
  { what: 'one that says so', source: { method: 'PUT', headers: { ...HEADER, 'sec-fetch-site': 'same-origin' } } },
  { what: 'one without a source', source: { method: 'DELETE', headers: HEADER }, field: 'Origin' },
  { what: 'one of no origin', source: { method: 'POST', headers: { ...HEADER, origin: 'null' } }, field: 'Origin' },
  { what: 'a form', source: { method: 'POST', headers: { origin: OWN } }, field: 'x-smalt-console' },
  { what: 'an own WebSocket', source: { isUpgrade: true, headers: { origin: OWN } } },
  { what: 'a foreign one', source: { isUpgrade: true, headers: { origin: 'http://evil' } }, field: 'Origin' },
  { what: 'one of nowhere', source: { isUpgrade: true, headers: {} }, field: 'Origin' },
] as const)('$what is refused for: $field', ({ source, ...expected }) => {
  expect(refusedField({ ...source })).toBe('field' in expected ? expected.field : undefined);
});

function refusedField(source: Partial<RequestSource> & { readonly headers: IncomingHttpHeaders }): string | undefined {
  try {
    checkSource({ method: 'GET', route: 'api', isUpgrade: false, ...source }, { isOwn: (origin) => origin === OWN });
    return undefined;
  } catch (error) {
    return isConsoleError(error, 'forbidden') ? error.field : String(error);
  }
}
