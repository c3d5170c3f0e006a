import { isJsonObject, JsonError, parseJson, type JsonObject, type JsonValue } from '@smalt/json';
import type {
  EvacuateCancelOptions,
  MigrateOptions,
  RestartOptions,
  StartOptions,
  StopOptions,
} from '@smalt/vm-admission';
import type { AddVolumeOptions, RemoveVolumeOptions } from '@smalt/vm-api';

import { refusal, statusOf, type VirtApiError } from '../virt-api-error.ts';

/** What the value of a field has to be. */
type FieldForm = 'flag' | 'text' | 'seconds' | 'texts' | 'labels' | 'object';

const WORDS: Readonly<Record<FieldForm, string>> = {
  flag: 'true or false',
  text: 'a text',
  seconds: 'a whole number',
  texts: 'a list of texts',
  labels: 'an object of texts',
  object: 'an object',
};

/** The bodies, as they are once their fields were looked at. */
export interface OptionBodies {
  readonly AddVolumeOptions: Partial<AddVolumeOptions> & DryRun;
  readonly EvacuateCancelOptions: EvacuateCancelOptions;
  readonly FreezeUnfreezeTimeout: { readonly unfreezeTimeout?: string };
  readonly MigrateOptions: MigrateOptions;
  readonly PauseOptions: DryRun;
  readonly RemoveVolumeOptions: Partial<RemoveVolumeOptions> & DryRun;
  readonly RestartOptions: RestartOptions;
  readonly StartOptions: StartOptions;
  readonly StopOptions: StopOptions;
  readonly UnpauseOptions: DryRun;
}

interface DryRun {
  readonly dryRun?: readonly string[];
}

/** The fields of the bodies. What is not listed is left out: newer clients may send more. */
const BODIES: Readonly<Record<keyof OptionBodies, Readonly<Record<string, FieldForm>>>> = {
  AddVolumeOptions: { name: 'text', disk: 'object', volumeSource: 'object', dryRun: 'texts' },
  EvacuateCancelOptions: { evacuationNodeName: 'text', dryRun: 'texts' },
  FreezeUnfreezeTimeout: { unfreezeTimeout: 'text' },
  MigrateOptions: { addedNodeSelector: 'labels', dryRun: 'texts' },
  PauseOptions: { dryRun: 'texts' },
  RemoveVolumeOptions: { name: 'text', volumeSource: 'object', dryRun: 'texts' },
  RestartOptions: { gracePeriodSeconds: 'seconds', dryRun: 'texts' },
  StartOptions: { paused: 'flag', dryRun: 'texts' },
  StopOptions: { gracePeriod: 'seconds', dryRun: 'texts' },
  UnpauseOptions: { dryRun: 'texts' },
};

/** Reads the options of a request. Refuses, with every field that is wrong, a body that is not what it has to be. */
export function readOptions<Kind extends keyof OptionBodies>(kind: Kind, body: Buffer): OptionBodies[Kind] {
  const given = readObject(kind, body);
  const named = Object.entries(BODIES[kind]).flatMap(([name, form]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return value === undefined || value === null ? [] : [{ name, form, value }];
  });
  const problems = named
    .filter(({ form, value }) => !hasForm(form, value))
    .map(({ name, form }) => `${name} has to be ${WORDS[form]}`);
  if (problems.length > 0) throw badBody(kind, problems.join(', '));
  const options: JsonObject = Object.fromEntries(named.map(({ name, value }) => [name, value]));
  checkDryRun(kind, options['dryRun']);
  return options;
}

/** Reads a body that is an object; an empty one is an object without fields. */
export function readObject(kind: string, body: Buffer): JsonObject {
  const text = body.toString('utf8').trim();
  if (text === '') return {};
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
    throw badBody(kind, 'it is no object');
  } catch (error) {
    if (error instanceof JsonError) throw badBody(kind, error.message, { cause: error });
    throw error;
  }
}

/** Whether nothing is to be changed. */
export function isDryRun({ dryRun = [] }: DryRun): boolean {
  return dryRun.includes('All');
}

function checkDryRun(kind: string, asked: JsonValue | undefined): void {
  const unknown = Array.isArray(asked) ? asked.find((value: JsonValue) => value !== 'All') : undefined;
  if (unknown !== undefined) throw badBody(kind, `dryRun: unsupported value ${JSON.stringify(unknown)}, use "All"`);
}

function badBody(kind: string, why: string, options?: ErrorOptions): VirtApiError {
  return refusal(statusOf(400, `Can not unmarshal Request body to struct, error: ${kind}: ${why}`), options);
}

function hasForm(form: FieldForm, value: JsonValue): boolean {
  switch (form) {
    case 'flag':
      return typeof value === 'boolean';
    case 'text':
      return typeof value === 'string';
    case 'seconds':
      return Number.isSafeInteger(value);
    case 'texts':
      return Array.isArray(value) && value.every((item: JsonValue) => typeof item === 'string');
    case 'labels':
      return isJsonObject(value) && Object.values(value).every((item) => typeof item === 'string');
    case 'object':
      return isJsonObject(value);
  }
}
