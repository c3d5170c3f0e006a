import { LibvirtError } from '../../libvirt-error.ts';

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;
const MAPPED_TO_NOTHING = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|[\u200b-\u200d]|\u2060|[\ufe00-\ufe0f]|\ufeff/gu;
const PROHIBITED = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u0340\u0341\u2ff0-\u2ffb\ufff9-\ufffd]/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const LEFT_TO_RIGHT = /\p{L}/u;

/**
 * Brings a user name or password into the one form that SASL compares (RFC 4013). What has no such form is refused;
 * the error names `field` and never quotes the text.
 */
export function prepareSaslText(text: string, field: 'username' | 'password'): string {
  if (text === '') throw refused(field, 'is empty');
  if (PRINTABLE_ASCII.test(text)) return text;
  const prepared = text
    .replace(/\p{Zs}/gu, ' ')
    .replace(MAPPED_TO_NOTHING, '')
    .normalize('NFKC');
  if (prepared === '') throw refused(field, 'holds nothing but invisible characters');
  if (PROHIBITED.test(prepared)) {
    throw refused(field, 'holds a control, private-use, unassigned or otherwise prohibited character');
  }
  if (RIGHT_TO_LEFT.test(prepared)) refuseMixedDirections(prepared, field);
  return prepared;
}

// RFC 3454 §6: a text written from right to left holds no letter of the other kind, and begins and ends with its own.
function refuseMixedDirections(text: string, field: string): void {
  const signs = Array.from(text, (sign) => directionOf(sign));
  const isFramed = signs[0] === 'right-to-left' && signs.at(-1) === 'right-to-left';
  const isMixed = signs.includes('left-to-right');
  if (isMixed || !isFramed) throw refused(field, 'mixes writing from right to left with other writing');
}

function directionOf(sign: string): 'right-to-left' | 'left-to-right' | 'neutral' {
  if (RIGHT_TO_LEFT.test(sign)) return 'right-to-left';
  return LEFT_TO_RIGHT.test(sign) ? 'left-to-right' : 'neutral';
}

function refused(field: string, why: string): LibvirtError {
  return new LibvirtError('authentication', `credentials.${field} ${why}`);
}
