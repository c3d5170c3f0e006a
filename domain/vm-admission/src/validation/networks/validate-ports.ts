import type { Port } from '@smalt/vm-api';

import { duplicate, invalid, required, type Cause } from '../../cause.ts';

const MAX_PORT = 65_535;
const MAX_NAME = 15;

/** Ports that are forwarded have a number and a known protocol; their names are good and differ. */
export function validatePorts(ports: readonly Port[], field: string): readonly Cause[] {
  return [
    ...ports.flatMap(({ name = '' }, index) => validateName(name, ports.slice(0, index), `${field}[${index}].name`)),
    ...ports.flatMap((port, index) => validatePort(port, `${field}[${index}]`)),
  ];
}

function validateName(name: string, before: readonly Port[], field: string): readonly Cause[] {
  if (name === '') return [];
  const isRepeated = before.some((port) => port.name === name);
  const advice = `At most ${MAX_NAME} lower-case letters, digits and single dashes inside, with at least one letter.`;
  return [
    ...(isRepeated ? [duplicate(field, `Duplicate name of the port: ${name}`)] : []),
    ...(isPortName(name) ? [] : [invalid(field, `Invalid name of the port: ${name}`, advice)]),
  ];
}

function isPortName(name: string): boolean {
  return name.length <= MAX_NAME && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && /[a-z]/.test(name);
}

function validatePort({ port, protocol = '' }: Port, field: string): readonly Cause[] {
  const number = port ?? 0;
  return [
    ...(number === 0 ? [required(`${field}.port`, 'Port field is mandatory.')] : []),
    ...(number < 0 || number > MAX_PORT
      ? [invalid(`${field}.port`, 'Port field must be in range 0 < x < 65536.')]
      : []),
    ...(['', 'TCP', 'UDP'].includes(protocol)
      ? []
      : [invalid(`${field}.protocol`, 'Unknown protocol, only TCP or UDP allowed')]),
  ];
}
