import { isIPv6 } from 'node:net';

const MAC_PATTERNS: readonly RegExp[] = [
  /^[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}$/i,
  /^[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){6}$/i,
  /^[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){18}$/i,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}$/i,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){3}$/i,
  /^[0-9a-f]{4}(?:\.[0-9a-f]{4}){9}$/i,
];
const LETTER = String.raw`a-zA-Z0-9\p{S}\p{L}`;
const HOSTNAME = new RegExp(
  String.raw`^(?:[${LETTER}](?:-?[${LETTER}]{0,62})?|(?:[${LETTER}](?:[${LETTER}-]{0,61}[${LETTER}])?\.)+[a-zA-Z\p{L}]{2,63})$`,
  'u',
);
const ATOM = String.raw`[\w!#$%&'*+/=?^\x60{|}~\u0080-\u{10ffff}-]+`;
const DOT_ATOM = String.raw`${ATOM}(?:\.${ATOM})*`;
const QUOTED = String.raw`"(?:[^"\\\x00-\x1f]|\\.)*"`;
const ADDRESS = String.raw`(?:${DOT_ATOM}|${QUOTED})@(?:${DOT_ATOM}|\[[^[\]\\]*\])`;
const EMAIL = new RegExp(
  String.raw`^\s*(?:${ADDRESS}|(?:(?:${QUOTED}|${DOT_ATOM})\s*)*<${ADDRESS}>)\s*(?:\([^()]*\))?\s*$`,
  'u',
);
const CONTROL = /\p{Cc}/u;
const BAD_ESCAPE = /%(?![0-9a-fA-F]{2})/;
const HOST = /^(?:[\w.~!$&'()*+,;=:[\]<>"\u0080-\uffff-]|%(?:25|[89a-fA-F][0-9a-fA-F]))*$/;
const USER_INFO = /^(?:[\w\-.:~!$&'()*+,;=%@])*$/;

/** An address of IPv4, also one with leading zeros or one inside IPv6, as Kubernetes has always taken them. */
export function isIpv4(text: string): boolean {
  return isDottedQuad(text) || (text.includes('.') && isIpv6(text));
}

export function isIpv6(text: string): boolean {
  return isIPv6(text) && !text.includes('%');
}

/** An address, a slash, and how many of its bits name the network. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const [address, bits] = [text.slice(0, slash), text.slice(slash + 1)];
  if (slash < 0 || !/^\d{1,8}$/.test(bits)) return false;
  if (isDottedQuad(address)) return Number(bits) <= 32;
  return isIpv6(address) && Number(bits) <= 128;
}

export function isMac(text: string): boolean {
  return MAC_PATTERNS.some((pattern) => pattern.test(text));
}

export function isHostname(text: string): boolean {
  if (Buffer.byteLength(text) > 255 || !HOSTNAME.test(text)) return false;
  return text.split('.').every((part) => Buffer.byteLength(part) <= 63);
}

/** An address of mail, with or without the name of a person before it. */
export function isEmail(text: string): boolean {
  return text.length <= 4096 && EMAIL.test(text);
}

/** What can stand in the first line of a request: a whole URI, or a path that starts with a slash. */
export function isRequestUri(text: string): boolean {
  if (text === '' || CONTROL.test(text)) return false;
  if (text === '*') return true;
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text)?.[0] ?? '';
  if (scheme === '' && text.startsWith(':')) return false;
  const [rest = ''] = text.slice(scheme.length).split('?', 1);
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return !BAD_ESCAPE.test(rest);
  const end = rest.indexOf('/', 2);
  const authority = end < 0 ? rest.slice(2) : rest.slice(2, end);
  return isAuthority(authority) && !BAD_ESCAPE.test(end < 0 ? '' : rest.slice(end));
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = authority.slice(0, Math.max(at, 0));
  const host = authority.slice(at + 1);
  if (!USER_INFO.test(user) || BAD_ESCAPE.test(user)) return false;
  if (host.startsWith('[')) return /^\[[^\]]*\](?::\d*)?$/.test(host);
  return HOST.test(host) && /^[^:]*(?::[^:]*)*$/.test(host) && /^(?:[^:]*|.*:\d*)$/.test(host);
}

function isDottedQuad(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,8}$/.test(part) && Number(part) <= 255);
}
