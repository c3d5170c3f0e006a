import { cursorAt, isXmlError, parseXml, type XmlCursor } from '@smalt/xml';

import { VirtHandlerError } from '../virt-handler-error.ts';

/** What libvirt says about the host itself. */
export interface HostDescription {
  readonly architecture: string;
  readonly cpuVendor: string | undefined;
  /** Of the time stamp counter. */
  readonly timer: { readonly frequency: bigint; readonly isScalable: boolean } | undefined;
  /** The machines that guests of the host's own architecture can be, and what can run them. */
  readonly machineTypes: readonly string[];
}

/** Reads what libvirt calls capabilities. Throws `unavailable` for a text that is none. */
export function readHost(text: string): HostDescription {
  try {
    const root = cursorAt(parseXml(text));
    const architecture = root.find('host/cpu/arch')?.text ?? '';
    return {
      architecture,
      cpuVendor: root.find('host/cpu/vendor')?.text,
      timer: readTimer(root),
      machineTypes: readMachineTypes(root, architecture),
    };
  } catch (error) {
    if (!isXmlError(error)) throw error;
    const message = `libvirt describes its host in a text that is none: ${error.message}`;
    throw new VirtHandlerError('unavailable', message, { cause: error });
  }
}

function readTimer(root: XmlCursor): HostDescription['timer'] {
  const counter = root.findAll('host/cpu/counter').find((each) => each.attribute('name') === 'tsc');
  const frequency = counter?.attribute('frequency');
  if (frequency === undefined || !/^\d+$/u.test(frequency)) return undefined;
  return { frequency: BigInt(frequency), isScalable: counter?.attribute('scaling') === 'yes' };
}

function readMachineTypes(root: XmlCursor, architecture: string): readonly string[] {
  const guests = root.children('guest').filter((guest) => guest.child('os_type')?.text === 'hvm');
  const own = guests
    .flatMap((guest) => guest.children('arch'))
    .filter((arch) => arch.attribute('name') === architecture);
  const machines = own.flatMap((arch) => arch.findAll('machine')).map((machine) => machine.text);
  return [...new Set(machines)].toSorted();
}
