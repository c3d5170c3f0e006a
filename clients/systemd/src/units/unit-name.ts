import { SystemdError } from '../systemd-error.ts';

const MAX_LENGTH = 255;
const KINDS = 'service|socket|target|device|mount|automount|swap|timer|path|slice|scope';
const UNIT_NAME = new RegExp(String.raw`^[A-Za-z\d:_.\\-]+(?:@[A-Za-z\d:_.\\@-]+)?\.(?:${KINDS})$`);

/** Whether this names a unit: `web.service`, `getty@tty1.service`. A template, `getty@.service`, is not a unit. */
export function isUnitName(text: string): boolean {
  return text.length <= MAX_LENGTH && UNIT_NAME.test(text);
}

/** Refuses what is not the name of a unit, before anything reaches the bus. */
export function checkUnitName(name: string): void {
  if (isUnitName(name)) return;
  throw new SystemdError('invalid-argument', `"${name.slice(0, 80)}" is not the name of a unit, such as web.service`);
}

/** The unit of a template for one instance, as `systemd-escape --template` names it. */
export function unitOfTemplate(template: string, instance: string): string {
  const [prefix, suffix, ...more] = template.split('@.');
  if (prefix === undefined || suffix === undefined || more.length > 0) {
    throw new SystemdError('invalid-argument', `"${template}" is not a template, such as getty@.service`);
  }
  const name = `${prefix}@${escapeInstance(instance)}.${suffix}`;
  checkUnitName(name);
  return name;
}

/** A slash becomes a dash; what may not stand in a name, and a dot in front, becomes `\xNN`. */
function escapeInstance(text: string): string {
  let escaped = '';
  for (const [index, byte] of Buffer.from(text).entries()) {
    const character = String.fromCodePoint(byte);
    const isPlain = /[A-Za-z\d:_.]/.test(character) && !(index === 0 && character === '.');
    if (character === '/') escaped += '-';
    else escaped += isPlain ? character : String.raw`\x${byte.toString(16).padStart(2, '0')}`;
  }
  return escaped;
}
