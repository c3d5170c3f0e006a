import { DBusError } from './dbus-error.ts';
import { REQUIRED_FIELDS, type DBusMessage } from './message.ts';
import { isBusName, isInterfaceName, isMemberName } from './names.ts';

/** Refuses a message that lacks what its kind needs, or with a name that nothing on a bus can have. */
export function checkHeader(message: DBusMessage): void {
  for (const field of REQUIRED_FIELDS[message.kind]) {
    if (message[field] === undefined) throw new DBusError('invalid', `a ${message.kind} without ${field}`);
  }
  if (!(Number.isInteger(message.serial) && message.serial > 0 && message.serial <= 0xffff_ffff)) {
    throw new DBusError('out-of-range', `serial: ${message.serial} is not from 1 to 4294967295`);
  }
  checkName('interface', message.interface, isInterfaceName);
  checkName('member', message.member, isMemberName);
  checkName('errorName', message.errorName, isInterfaceName);
  checkName('destination', message.destination, isBusName);
  checkName('sender', message.sender, isBusName);
}

function checkName(field: string, name: string | undefined, isName: (text: string) => boolean): void {
  if (name === undefined || isName(name)) return;
  throw new DBusError('invalid', `${field}: "${name.slice(0, 80)}" cannot be its name`);
}
