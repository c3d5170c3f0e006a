import { ConsoleError } from '../console-error.ts';

/** What a request asks for: the path as it was sent, which is passed on as it is, and its query with the question mark. */
export interface RequestTarget {
  readonly path: string;
  readonly search: string;
}

const MOST_BYTES = 8_192;
/** What servers disagree about: an encoded slash, backslash, dot, percent sign or zero, and whatever RFC 3986 has in no path. */
const TRICKS = /%(?:2f|5c|2e|25|00)|%(?![0-9a-f]{2})|[^\w.~!$&'()*+,;=:@%/-]/i;

/**
 * Reads the target of a request. Refuses whatever two servers could read differently, so that what is checked here is what is
 * asked for there: absolute addresses, dot segments, empty segments, encoded slashes.
 */
export function readTarget(url: string | undefined): RequestTarget {
  const target = url ?? '';
  if (target.length > MOST_BYTES) throw bad(`it is longer than ${MOST_BYTES} bytes`);
  if (!target.startsWith('/')) throw bad('it has to begin with a slash');
  const end = target.indexOf('?');
  const [path, search] = end < 0 ? [target, ''] : [target.slice(0, end), target.slice(end)];
  if (TRICKS.test(path)) throw bad('it has a character, plain or encoded, that no path here has');
  if (/[^\u0021-\u007e]|[\\#]/.test(search)) throw bad('its query has a character that has to be encoded');
  const segments = path.slice(1).split('/');
  const isEmpty = segments.slice(0, -1).includes('');
  if (isEmpty || segments.some((each) => each === '.' || each === '..')) {
    throw bad('it has an empty segment, or one of dots alone');
  }
  return { path, search };
}

function bad(why: string): ConsoleError {
  return new ConsoleError('bad-request', `the path cannot be used: ${why}`, { field: 'path' });
}
