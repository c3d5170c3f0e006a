import { FIELD_ROWS, type FieldFormat } from './field-rows.ts';

/** A field of a packet, or of what the switch knows about it. */
export interface Field {
  /** As ovs-ofctl calls it: `in_port`, `reg0`, `eth_dst`. An unknown one carries its numbers: `field(0x8000,99)`. */
  readonly name: string;
  /** As it stands in actions that name bits of it: `NXM_NX_REG0`. */
  readonly longName: string;
  /** How many bits of it mean something. */
  readonly bits: number;
  /** How many bytes it takes in a message; 0: as many as the message says. */
  readonly bytes: number;
  readonly format: FieldFormat;
  readonly isKnown: boolean;
}

/** Some bits of a field. */
export interface Subfield {
  readonly field: Field;
  readonly offset: number;
  readonly bits: number;
}

const BY_CODE: ReadonlyMap<string, Field> = new Map(
  FIELD_ROWS.flatMap(([name, longName, bits, format, codes]) => {
    const field: Field = { name, longName, bits, bytes: bytesOf(name, bits), format, isKnown: true };
    return codes.split(' ').map((code): [string, Field] => [code, field]);
  }),
);

const BY_NAME: ReadonlyMap<string, Field> = new Map([...BY_CODE.values()].map((field) => [field.name, field]));

const CODES: ReadonlyMap<string, readonly string[]> = new Map(
  FIELD_ROWS.map(([name, , , , codes]) => [name, codes.split(' ')]),
);

/** The numbers of a field on the wire: its class, its number, and whose it is if the class leaves that open. */
export interface FieldCode {
  readonly class: number;
  readonly number: number;
  readonly experimenter: number | undefined;
}

/** The field with these numbers; one that is not known is named after them. */
export function fieldOf(code: FieldCode, bytes: number): Field {
  const text = printCode(code);
  const known = BY_CODE.get(text);
  // A known field with another length would be read wrongly.
  if (known !== undefined && (known.bytes === bytes || known.bytes === 0)) {
    return known.bytes === 0 ? { ...known, bits: bytes * 8, bytes } : known;
  }
  const owner = code.experimenter === undefined ? '' : `,0x${code.experimenter.toString(16)}`;
  const name = `field(0x${code.class.toString(16)},${code.number}${owner})`;
  return { name, longName: name, bits: bytes * 8, bytes, format: 'hexadecimal', isKnown: false };
}

/** The field of that name, which must be in the table. */
export function fieldNamed(name: string): Field {
  const field = BY_NAME.get(name);
  if (field === undefined) throw new TypeError(`there is no field ${name}`);
  return field;
}

/** The numbers to send a field of the table with: those of OpenFlow itself where it has them. */
export function codeOf(field: Field): FieldCode {
  const code = CODES.get(field.name)?.findLast((text) => !text.startsWith('ffff:'));
  if (code === undefined) throw new TypeError(`${field.name} cannot be sent`);
  const [fieldClass = '', number = ''] = code.split(':');
  return { class: Number.parseInt(fieldClass, 16), number: Number(number), experimenter: undefined };
}

function printCode(code: FieldCode): string {
  const owner = code.experimenter === undefined ? '' : `${code.experimenter.toString(16)}:`;
  return `${code.class.toString(16)}:${owner}${code.number}`;
}

function bytesOf(name: string, bits: number): number {
  if (name.startsWith('tun_metadata')) return 0;
  if (bits === 48) return 6;
  return [1, 2, 4, 8, 16].find((bytes) => bytes * 8 >= bits) ?? 16;
}
