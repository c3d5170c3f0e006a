import { DevicePluginError } from '../device-plugin-error.ts';

const decoder = new TextDecoder('utf-8', { fatal: true });
/** The lengths of numbers that no message of the protocol has; newer ones may. */
const FIXED_LENGTHS: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

/** The fields of a protobuf message, by their numbers. Those that nobody asks for are left alone. */
export class MessageFields {
  readonly #bytes = new Map<number, Buffer[]>();
  readonly #numbers = new Map<number, bigint>();

  addBytes(number: number, bytes: Buffer): void {
    const sofar = this.#bytes.get(number);
    if (sofar === undefined) this.#bytes.set(number, [bytes]);
    else sofar.push(bytes);
  }

  addNumber(number: number, value: bigint): void {
    this.#numbers.set(number, value);
  }

  /** All messages of a repeated field. */
  messages(number: number): readonly MessageFields[] {
    return (this.#bytes.get(number) ?? []).map((bytes) => readMessage(bytes));
  }

  /** All texts of a repeated field. */
  texts(number: number): readonly string[] {
    return (this.#bytes.get(number) ?? []).map((bytes) => decode(bytes));
  }

  /** The last one wins, as protobuf has it; empty if there is none. */
  text(number: number): string {
    return this.texts(number).at(-1) ?? '';
  }

  number(number: number): number {
    return Number(BigInt.asIntN(64, this.#numbers.get(number) ?? 0n));
  }
}

/** Reads a protobuf message. Throws `bad-message` where it makes no sense. */
export function readMessage(bytes: Buffer): MessageFields {
  const fields = new MessageFields();
  let at = 0;
  while (at < bytes.length) at = readField(bytes, at, fields);
  return fields;
}

/** Returns where the next field begins. */
function readField(bytes: Buffer, start: number, fields: MessageFields): number {
  const tag = readVarint(bytes, start);
  const number = Number(tag.value >> 3n);
  const wireType = Number(tag.value & 7n);
  if (number === 0) throw new DevicePluginError('bad-message', 'a field of a message has the number 0');
  if (wireType === 0) {
    const { value, end } = readVarint(bytes, tag.end);
    fields.addNumber(number, value);
    return end;
  }
  if (wireType === 2) {
    const length = readVarint(bytes, tag.end);
    const end = within(bytes, length.end, length.value);
    fields.addBytes(number, bytes.subarray(length.end, end));
    return end;
  }
  const fixed = FIXED_LENGTHS[wireType];
  if (fixed === undefined) throw new DevicePluginError('bad-message', `a field has the wire type ${wireType}`);
  return within(bytes, tag.end, BigInt(fixed));
}

function readVarint(bytes: Buffer, start: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let index = 0; index < 10; index++) {
    const byte = bytes[start + index];
    if (byte === undefined) throw new DevicePluginError('bad-message', 'a message ends within a number');
    value |= BigInt(byte & 0x7f) << BigInt(7 * index);
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: start + index + 1 };
  }
  throw new DevicePluginError('bad-message', 'a number of a message has more than ten bytes');
}

function within(bytes: Buffer, start: number, length: bigint): number {
  if (length > BigInt(bytes.length - start)) {
    throw new DevicePluginError('bad-message', `a field of ${length} bytes goes beyond the end of its message`);
  }
  return start + Number(length);
}

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new DevicePluginError('bad-message', 'a text of a message is not UTF-8', { cause });
  }
}
