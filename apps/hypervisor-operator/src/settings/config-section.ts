/** The form of a group of settings, each of which has its place in it. */
export interface Section<T> {
  readonly type: 'object';
  readonly properties: { readonly [K in keyof T]: SettingOf<T[K]> };
  readonly required: readonly string[];
}

type SettingOf<T> = [undefined] extends [T]
  ? OpenSwitchSetting
  : [T] extends [boolean]
    ? SwitchSetting
    : [T] extends [number]
      ? NumberSetting
      : [T] extends [readonly string[]]
        ? ListSetting
        : [T] extends [string]
          ? string extends T
            ? TextSetting
            : ChoiceSetting<T>
          : Section<T>;

interface WithDefault<T> {
  readonly default: T;
  readonly description: string;
}

const LONGEST_MS = 10 * 366 * 86_400_000;

/** The settings of a group; all of them have a value, but for switches that are left open. */
export function section<T>(properties: NoInfer<Section<T>['properties']>): Section<T> {
  const required = Object.entries<object>(properties).filter(([, property]) => !isOpen(property));
  return { type: 'object', properties, required: required.map(([name]) => name) };
}

function isOpen(property: object): boolean {
  return 'isOpen' in property;
}

export interface NumberSetting extends WithDefault<number> {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum: number;
}

/** A time in milliseconds, of one at least. */
export function milliseconds(standard: number, description: string): NumberSetting {
  return { type: 'integer', minimum: 1, maximum: LONGEST_MS, default: standard, description };
}

export function count(standard: number, description: string, minimum = 1): NumberSetting {
  return { type: 'integer', minimum, maximum: 1_000_000, default: standard, description };
}

/** How many keys a controller works on at a time. */
export function concurrency(standard: number): NumberSetting {
  return { ...count(standard, 'how many are worked on at a time'), maximum: 1_000 };
}

/** How often a controller looks although nothing told it to. */
export function resync(standard: number): NumberSetting {
  return milliseconds(standard, 'how often, in ms, to look for changes that nobody tells');
}

export interface SwitchSetting extends WithDefault<boolean> {
  readonly type: 'boolean';
}

export function onOff(standard: boolean, description: string): SwitchSetting {
  return { type: 'boolean', default: standard, description };
}

/** A switch that nobody has to touch: what it is then, others decide. */
export interface OpenSwitchSetting {
  readonly type: 'boolean';
  readonly isOpen: true;
  readonly description: string;
}

export function openSwitch(description: string): OpenSwitchSetting {
  return { type: 'boolean', isOpen: true, description };
}

export interface TextSetting extends WithDefault<string> {
  readonly type: 'string';
  readonly minLength: number;
}

export function text(standard: string, description: string): TextSetting {
  return { type: 'string', minLength: 1, default: standard, description };
}

/** A text that may be empty, which then means something of its own. */
export function optionalText(standard: string, description: string): TextSetting {
  return { type: 'string', minLength: 0, default: standard, description };
}

export interface ListSetting extends WithDefault<readonly string[]> {
  readonly type: 'array';
  readonly items: { readonly type: 'string'; readonly minLength: number };
}

export function texts(standard: readonly string[], description: string, minLength = 1): ListSetting {
  return { type: 'array', items: { type: 'string', minLength }, default: standard, description };
}

export interface ChoiceSetting<T extends string> extends WithDefault<T> {
  readonly type: 'string';
  readonly enum: readonly T[];
}

export function choice<const T extends string>(
  values: readonly T[],
  standard: NoInfer<T>,
  description: string,
): ChoiceSetting<T> {
  return { type: 'string', enum: values, default: standard, description };
}
