const NAMES: ReadonlyMap<number, string> = new Map([
  [0xfff7, 'UNSET'],
  [0xfff8, 'IN_PORT'],
  [0xfff9, 'TABLE'],
  [0xfffa, 'NORMAL'],
  [0xfffb, 'FLOOD'],
  [0xfffc, 'ALL'],
  [0xfffd, 'CONTROLLER'],
  [0xfffe, 'LOCAL'],
  [0xffff, 'ANY'],
]);

/** Numbers of ports from here on are not ports but places: the controller, the bridge itself, all ports. */
export const FIRST_SPECIAL_PORT = 0xff00;

export const PORT_IN = 0xfff8;
export const PORT_CONTROLLER = 0xfffd;
export const PORT_LOCAL = 0xfffe;
const PORT_ANY = 0xffff;

const WIDE_OFFSET = 0xffff_0000;

/** The number that Open vSwitch itself uses, of 16 bits, for one of 32 bits from the wire. */
export function narrowPort(wide: number): number {
  return wide >= WIDE_OFFSET + FIRST_SPECIAL_PORT ? wide - WIDE_OFFSET : wide;
}

/** The number of 32 bits for the wire. */
export function widePort(port: number): number {
  return port >= FIRST_SPECIAL_PORT && port <= PORT_ANY ? port + WIDE_OFFSET : port;
}

/** `LOCAL` for 65534, and so on; the number itself for a real port. */
export function printPort(port: number): string {
  return NAMES.get(port) ?? String(port);
}
