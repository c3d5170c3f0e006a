import { LibvirtDaemonError } from './error.ts';

/** A value in one of libvirt's configuration files. */
export type ConfigValue = string | number | boolean | readonly string[];

/** The settings of one of libvirt's configuration files, by key. */
export type Config = Readonly<Record<string, ConfigValue | undefined>>;

/** Renders settings as libvirt reads them; a value libvirt's syntax cannot hold is refused by the name of its key. */
export function renderConfig(config: Config): string {
  return Object.entries(config)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${renderKey(key)} = ${renderValue(key, value)}\n`)
    .join('');
}

function renderKey(key: string): string {
  if (/^[a-zA-Z][\w.-]*$/.test(key)) return key;
  throw new LibvirtDaemonError('invalid-option', `${JSON.stringify(key)} is not a key of a libvirt configuration file`);
}

function renderValue(key: string, value: ConfigValue | undefined): string {
  if (typeof value === 'string') return quote(key, value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'object') return `[ ${value.map((item) => quote(key, item)).join(', ')} ]`;
  if (Number.isSafeInteger(value)) return String(value);
  throw new LibvirtDaemonError('invalid-option', `${key} must be a whole number, not ${String(value)}`);
}

/** libvirt's strings end at the first quote of their own kind or at a line end; there is no escape character. */
function quote(key: string, text: string): string {
  const mark = text.includes('"') ? "'" : '"';
  if (!/[\r\n\0]/.test(text) && !text.includes(mark)) return `${mark}${text}${mark}`;
  throw new LibvirtDaemonError(
    'invalid-option',
    `${key} holds a line end or both kinds of quotes, which libvirt cannot read: ${JSON.stringify(text)}`,
  );
}
