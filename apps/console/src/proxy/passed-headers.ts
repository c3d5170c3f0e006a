import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';

/**
 * All that is passed on of a request. A list of what may pass, not of what may not: cookies, names of other users, and whatever a
 * proxy would believe stay here. Where the body ends is said by its framing.
 */
const OF_REQUESTS = [
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
];
const OF_UPGRADES = ['sec-websocket-key', 'sec-websocket-version'];
/** And of an answer: no cookies, no rights for other sites, no redirects, no prompts of the browser. */
const OF_ANSWERS = [
  'audit-id',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'etag',
  'last-modified',
  'retry-after',
  'vary',
  'warning',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
  'x-request-id',
];
const OF_SWITCHES = ['sec-websocket-accept', 'sec-websocket-protocol'];
const PROTOCOLS = 'sec-websocket-protocol';
/** By this a browser could show another token. */
const TOKEN_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

export function requestHeaders(given: IncomingHttpHeaders): OutgoingHttpHeaders {
  return picked(given, OF_REQUESTS);
}

/** The headers of a request that goes on as a WebSocket, without extensions: the frames are passed on as they are. */
export function upgradeHeaders(given: IncomingHttpHeaders): OutgoingHttpHeaders {
  const asked = (given[PROTOCOLS] ?? '').split(',').map((each) => each.trim());
  const protocols = asked.filter((each) => each !== '' && !each.startsWith(TOKEN_PROTOCOL));
  return {
    ...picked(given, OF_UPGRADES),
    connection: 'Upgrade',
    upgrade: 'websocket',
    ...(protocols.length > 0 && { [PROTOCOLS]: protocols.join(', ') }),
  };
}

export function answerHeaders(given: IncomingHttpHeaders): OutgoingHttpHeaders {
  return picked(given, OF_ANSWERS);
}

export function switchHeaders(given: IncomingHttpHeaders): OutgoingHttpHeaders {
  return { ...picked(given, OF_SWITCHES), connection: 'Upgrade', upgrade: 'websocket' };
}

function picked(given: IncomingHttpHeaders, names: readonly string[]): OutgoingHttpHeaders {
  const kept = names.flatMap((name): [string, string | string[]][] => {
    const value = given[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(kept);
}
