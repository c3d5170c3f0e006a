import type { HardwareDescription } from './operating-system-status.ts';

/** The texts of the firmware tables, as the kernel shows them below `/sys/class/dmi/id`, and of the device tree. */
export interface DmiTexts {
  readonly systemVendor?: string | undefined;
  readonly productName?: string | undefined;
  /** Only root may read it. */
  readonly productSerial?: string | undefined;
  readonly biosVendor?: string | undefined;
  readonly biosVersion?: string | undefined;
  /** `MM/DD/YYYY`. */
  readonly biosDate?: string | undefined;
  /** `/proc/device-tree/model`, on machines that have no such tables. */
  readonly deviceTreeModel?: string | undefined;
  readonly deviceTreeSerial?: string | undefined;
}

// What makers leave in the tables when they forget to fill them in.
const PLACEHOLDER =
  /^(to be filled by o\.?e\.?m\.?|not (specified|applicable|available|present)|default string|system (product name|manufacturer|serial number)|n\/?a|none|unknown|oem|[0.x-]*)$/i;

/** Machine and firmware by the tables of the firmware, or else by the device tree. */
export function dmiHardware(texts: DmiTexts): HardwareDescription {
  return {
    hardwareVendor: meaningful(texts.systemVendor),
    hardwareModel: meaningful(texts.productName) ?? meaningful(texts.deviceTreeModel),
    hardwareSerial: meaningful(texts.productSerial) ?? meaningful(texts.deviceTreeSerial),
    firmwareVendor: meaningful(texts.biosVendor),
    firmwareVersion: meaningful(texts.biosVersion),
    firmwareDate: readBiosDate(texts.biosDate),
  };
}

// Texts of the device tree end with a NUL.
function meaningful(text: string | undefined): string | undefined {
  const bare = text?.replaceAll('\0', ' ').trim();
  return bare === undefined || PLACEHOLDER.test(bare) ? undefined : bare;
}

// Old firmware writes the year in two digits, and means the last century.
function readBiosDate(text: string | undefined): string | undefined {
  const [, month = '', day = '', year = ''] = /^\s*(\d{2})\/(\d{2})\/(\d{2}|\d{4})\s*$/.exec(text ?? '') ?? [];
  if (year === '') return undefined;
  const time = new Date(Date.UTC(Number(year.padStart(4, '19')), Number(month) - 1, Number(day)));
  const date = time.toISOString();
  // A day that does not exist, such as 02/31, would have become another.
  return date.slice(5, 10) === `${month}-${day}` ? date.replace('.000Z', 'Z') : undefined;
}
