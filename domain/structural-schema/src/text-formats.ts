import { checkDns1123Label, checkDns1123Subdomain } from '@smalt/kubernetes';

import { isDate, isDateTime, isDuration } from './time-formats.ts';
import { isCidr, isEmail, isHostname, isIpv4, isIpv6, isMac, isRequestUri } from './network-formats.ts';

type Format = (text: string) => boolean;

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const UUID5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const CREDIT_CARD =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const HEX_COLOR = /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;
const COLOR_PART = String.raw`\s*(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])\s*`;
const RGB_COLOR = new RegExp(String.raw`^rgb\(${COLOR_PART},${COLOR_PART},${COLOR_PART}\)$`);

const FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['bsonobjectid', (text) => /^[0-9a-fA-F]{24}$/.test(text)],
  ['uri', isRequestUri],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', isIpv4],
  ['ipv6', isIpv6],
  ['cidr', isCidr],
  ['mac', isMac],
  ['uuid', (text) => UUID.test(text)],
  ['uuid3', (text) => UUID3.test(text)],
  ['uuid4', (text) => UUID4.test(text)],
  ['uuid5', (text) => UUID5.test(text)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', (text) => /^\d{3}[- ]\d{2}[- ]\d{4}$/.test(text)],
  ['hexcolor', (text) => HEX_COLOR.test(text)],
  ['rgbcolor', (text) => RGB_COLOR.test(text)],
  ['byte', (text) => BASE64.test(text)],
  ['password', () => true],
  ['date', isDate],
  ['duration', isDuration],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => checkDns1123Label(text).length === 0],
  ['k8slongname', (text) => checkDns1123Subdomain(text).length === 0],
]);

/** The check behind the name of a format of texts. Dashes in the name do not matter. */
export function findFormat(name: string): Format | undefined {
  return FORMATS.get(name.replaceAll('-', ''));
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]+/g, '');
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 10; index++) sum += (index + 1) * (digits[index] === 'X' ? 10 : Number(digits[index]));
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]+/g, '');
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += (index % 2 === 0 ? 1 : 3) * Number(digits[index]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/[^0-9]+/g, '');
  if (!CREDIT_CARD.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]) * (index % 2 === 0 ? 1 : 2);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}
