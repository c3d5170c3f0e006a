import { cursorAt, element, isXmlError, parseXml, printXml, type XmlCursor } from '@smalt/xml';

import { VirtHandlerError } from '../virt-handler-error.ts';

/** What libvirt says that guests of one type can have here. */
export interface DomainAbilities {
  /** The models of processors that work. */
  readonly cpuModels: readonly string[];
  /** What the processor of the host looks like to a guest. */
  readonly hostModel: HostProcessor | undefined;
  /** Such as `sev`, as labels name them. */
  readonly traits: readonly string[];
}

interface HostProcessor {
  readonly name: string;
  readonly vendor: string | undefined;
  /** What it has beyond its model. */
  readonly requiredFeatures: readonly string[];
  /** Its XML as libvirt takes it to tell all its features. */
  readonly xml: string;
}

/** Reads what libvirt calls domain capabilities. Throws `unavailable` for a text that is none. */
export function readDomainCapabilities(text: string): DomainAbilities {
  return readText(text, 'what guests can have', (root) => ({
    cpuModels: unique(
      root.findAll('cpu/mode').flatMap((mode) =>
        mode.attribute('name') === 'custom'
          ? mode
              .children('model')
              .filter((model) => model.attribute('usable') === 'yes')
              .map((model) => model.text)
          : [],
      ),
    ),
    hostModel: readHostModel(root),
    traits: readTraits(root),
  }));
}

/** Reads from the same text which firmware images libvirt has found, by their paths where it runs. */
export function readLoaders(text: string): readonly string[] {
  return readText(text, 'what guests can have', (root) => root.findAll('os/loader/value').map((value) => value.text));
}

/** Reads the features of a processor that libvirt has spelled out. */
export function readFeatures(text: string): readonly string[] {
  return readText(text, 'a processor', (root) =>
    unique(
      root
        .children('feature')
        .filter((feature) => feature.attribute('policy') !== 'disable')
        .map((feature) => feature.requireAttribute('name')),
    ),
  );
}

function readHostModel(root: XmlCursor): HostProcessor | undefined {
  const mode = root.findAll('cpu/mode').find((each) => each.attribute('name') === 'host-model');
  const model = mode?.child('model');
  if (mode === undefined || model === undefined || mode.attribute('supported') !== 'yes') return undefined;
  const required = mode.children('feature').filter((feature) => feature.attribute('policy') === 'require');
  return {
    name: model.text,
    vendor: mode.child('vendor')?.text,
    requiredFeatures: unique(required.map((feature) => feature.requireAttribute('name'))),
    xml: printXml(
      element(
        'cpu',
        { mode: 'custom' },
        mode.children().map(({ element: child }) => child),
      ),
    ),
  };
}

function readTraits(root: XmlCursor): readonly string[] {
  const isSupported = (path: string): boolean => root.find(path)?.attribute('supported') === 'yes';
  // A host that leaves room for encrypted guests of the second kind says how many there may be.
  const encrypted = Number(root.find('features/sev/maxESGuests')?.text ?? 0);
  return [
    ...(isSupported('features/sev') ? ['sev'] : []),
    ...(isSupported('features/sev') && encrypted > 0 ? ['sev-es'] : []),
    ...(isSupported('features/s390-pv') ? ['s390-pv'] : []),
    ...(isSupported('features/tdx') ? ['tdx'] : []),
  ];
}

function readText<Result>(text: string, what: string, read: (root: XmlCursor) => Result): Result {
  try {
    return read(cursorAt(parseXml(text)));
  } catch (error) {
    if (!isXmlError(error)) throw error;
    const message = `libvirt describes ${what} in a text that is none: ${error.message}`;
    throw new VirtHandlerError('unavailable', message, { cause: error });
  }
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
