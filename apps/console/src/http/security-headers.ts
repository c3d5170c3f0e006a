import type { OutgoingHttpHeaders } from 'node:http';

const ALWAYS: OutgoingHttpHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

/** Of data: whatever a server behind us answers, a browser that shows it runs nothing of it, and nobody keeps it. */
export const DATA_HEADERS: OutgoingHttpHeaders = {
  ...ALWAYS,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/**
 * Of pages: scripts, styles and connections of our own origin alone. The nonce is for style elements that parts of the page make
 * at run time; there is none for scripts. Attributes named `style` are not allowed: scripts set styles one by one.
 */
export function pageHeaders(nonce: string | undefined): OutgoingHttpHeaders {
  const style = nonce === undefined ? "'self'" : `'self' 'nonce-${nonce}'`;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${style}`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ];
  return { ...ALWAYS, 'content-security-policy': policy.join('; ') };
}
