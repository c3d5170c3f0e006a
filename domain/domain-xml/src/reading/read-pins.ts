import { cursorAt, parseXml } from '@smalt/xml';

import { readNumberMask } from '../shape/number-mask.ts';

/** On which processors of the host the threads of a domain are to run. */
export interface DomainPins {
  readonly processors: readonly { readonly virtual: number; readonly cpus: readonly number[] }[];
  readonly emulator: readonly number[] | undefined;
  readonly ioThreads: readonly { readonly id: number; readonly cpus: readonly number[] }[];
}

/** More than any host has. */
const MOST_CPUS = 16_384;

/** The pins that the XML of a domain asks for. */
export function readPins(text: string): DomainPins {
  const domain = cursorAt(parseXml(text));
  const emulator = domain.value('cputune/emulatorpin/@cpuset');
  return {
    processors: domain.findAll('cputune/vcpupin').map((pin) => ({
      virtual: Number(pin.requireAttribute('vcpu')),
      cpus: cpusOf(pin.requireAttribute('cpuset')),
    })),
    emulator: emulator === undefined ? undefined : cpusOf(emulator),
    ioThreads: domain.findAll('cputune/iothreadpin').map((pin) => ({
      id: Number(pin.requireAttribute('iothread')),
      cpus: cpusOf(pin.requireAttribute('cpuset')),
    })),
  };
}

function cpusOf(list: string): readonly number[] {
  return readNumberMask(list, MOST_CPUS, 'cputune');
}
