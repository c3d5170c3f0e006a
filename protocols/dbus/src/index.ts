export { DBusError, isDBusError, type DBusErrorCode } from './dbus-error.ts';
export { isVariant, type DBusValue, type DBusVariant } from './dbus-value.ts';
export { decodeMessage } from './decode-message.ts';
export { encodeMessage } from './encode-message.ts';
export { renderMatchRule, type MatchRule } from './match-rule.ts';
export type { DBusMessage, MessageKind } from './message.ts';
export { MessageSplitter } from './message-splitter.ts';
export { isBusName, isInterfaceName, isMemberName, isObjectPath } from './names.ts';
export type { Endian } from './reader.ts';
