import { settingsShape } from './settings-shape.ts';
import type { SettingLine } from './shape/shape.ts';

const HEAD = `smalt ha-service --config FILE

Keeps instances running when their hosts fail: takes what agents tell, judges hosts, proves that a dead one is off,
rebuilds its instances elsewhere. Everything it is told is in one YAML file, which is read anew when it changes.

  --config FILE     the file; or the variable SMALT_HA_SERVICE_CONFIG
  --check-config    read the file, tell what is wrong with it, and end
  --help            this text

An example with comments is deploy/ha-service/config.yaml. The settings, with what they are when nothing is said:

`;

/** The text of \`--help\`: every setting of the file. */
export function settingsHelp(): string {
  return HEAD + settingsShape.lines('').map(lineOf).join('');
}

/** All settings, for tables. */
export function settingLines(): readonly SettingLine[] {
  return settingsShape.lines('');
}

function lineOf({ path, what, fallback, description }: SettingLine): string {
  const given = fallback === undefined ? 'no default' : `default ${fallback}`;
  return `  ${path}\n      ${description}: ${what}; ${given}\n`;
}
