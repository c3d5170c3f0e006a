import { isBmcError, Secret } from '@smalt/bmc';

import { isSameForAll, unknownFields } from './expand-text.ts';
import { levelFor, type HostLevel } from './host-level.ts';
import type { HostPowerFacts } from './host-power-facts.ts';
import { commandController, ipmiController, redfishController } from './open-controller.ts';
import type { CleanUpProgram, PowerLevel, PowerSettings } from './power-settings.ts';

/** Every setting that would be found to be wrong on the day a host dies, one sentence each that names the field. */
export function powerSettingsProblems(settings: PowerSettings): readonly string[] {
  const { levels, cleanUp, check } = settings;
  return [
    ...(levels.length === 0 ? ['levels: nothing could be powered off: add one, if only with the driver person'] : []),
    ...repeated('levels', levels),
    ...repeated('cleanUp', cleanUp),
    ...personProblems(levels),
    ...levels.flatMap((level, index) => levelProblems(level).map((problem) => `levels[${index}].${problem}`)),
    ...cleanUp.flatMap((program, index) => programProblems(program).map((problem) => `cleanUp[${index}].${problem}`)),
    ...(check.intervalMs === 0 || check.intervalMs >= 1000
      ? []
      : [`check.intervalMs: ${check.intervalMs} has to be at least 1000, or 0 for no readings in peace time`]),
    ...(check.concurrency >= 1 ? [] : [`check.concurrency: ${check.concurrency} has to be at least 1`]),
  ];
}

function repeated(field: string, things: readonly { readonly name: string }[]): readonly string[] {
  const names = things.map(({ name }) => name);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  const bad = names.filter((name) => !/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/.test(name));
  return [
    ...[...twice].map((name) => `${field}: the name ${name} is there more than once; names have to differ`),
    ...bad.map((name) => `${field}: the name "${name}" has to be of small letters, digits, "-" and "."`),
  ];
}

/** What stands behind a person would never be tried. */
function personProblems(levels: readonly PowerLevel[]): readonly string[] {
  const at = levels.findIndex(({ driver, hosts }) => driver === 'person' && hosts === undefined);
  const next = at === -1 ? undefined : levels[at + 1];
  return next === undefined ? [] : [`levels: ${next.name} stands after a person, who is asked last: move it up`];
}

function levelProblems(level: PowerLevel): readonly string[] {
  const empty = level.hosts?.length === 0 ? ['hosts: is empty, so the level is for no host: leave it out for all'] : [];
  return [...empty, ...fieldProblems(level), ...sampleProblems(level)];
}

/** Texts with fields that nobody knows, and a level whose text is one and the same host for all. */
function fieldProblems(level: PowerLevel): readonly string[] {
  const texts = hostTexts(level);
  const unknown = texts.flatMap(([field, text]) =>
    unknownFields(text).map((word) => `${field}: ${word} is no field; there are {host}, {address} and {label:KEY}`),
  );
  const isOne = level.hosts?.length === 1 && !level.hosts[0]?.includes('*');
  const isForAll = texts.length > 0 && texts.every(([, text]) => isSameForAll(text));
  const differs = 'perHost' in level && Object.keys(level.perHost ?? {}).length > 0;
  if (!isForAll || isOne || differs) return unknown;
  const [[field] = ['']] = texts;
  return [...unknown, `${field}: is the same for all hosts, so the wrong one would be powered off: use {host}`];
}

function hostTexts(level: PowerLevel): readonly (readonly [string, string])[] {
  switch (level.driver) {
    case 'redfish': {
      const { url, systemPath, systemUuid, serverName } = level;
      return Object.entries({ url, systemPath, systemUuid, serverName }).flatMap(([field, text]) =>
        text === undefined ? [] : [[field, text] as const],
      );
    }
    case 'ipmi':
      return [['address', level.address]];
    case 'command':
      return level.command.map((text, index) => [`command[${index}]`, text] as const);
    case 'ironcore':
      return [['server', level.server], ...(level.systemUuid ? [['systemUuid', level.systemUuid] as const] : [])];
    case 'person':
      return [];
  }
}

/** What the driver itself says of the settings, tried with a host that has everything. */
function sampleProblems(level: PowerLevel): readonly string[] {
  const { perHost = {} } = 'perHost' in level ? level : {};
  return ['any-host', ...Object.keys(perHost)].flatMap((host) => {
    const sample = levelFor(level, sampleFacts(host));
    const problem = sample === undefined ? undefined : driverProblem(withoutTemplates(sample, level));
    if (problem === undefined) return [];
    return [host === 'any-host' ? problem : `perHost.${host}: ${problem}`];
  });
}

function driverProblem(level: HostLevel): string | undefined {
  const secret = new Secret('unused');
  try {
    if (level.driver === 'redfish') redfishController(level, secret, () => undefined);
    if (level.driver === 'ipmi') ipmiController(level, secret);
    if (level.driver === 'command') commandController(level, {});
    return undefined;
  } catch (error) {
    if (isBmcError(error, 'bad-setting')) return error.message;
    throw error;
  }
}

/** A UUID that comes from a label is known only when there is a host. */
function withoutTemplates(sample: HostLevel, level: PowerLevel): HostLevel {
  const isTemplate = 'systemUuid' in level && level.systemUuid !== undefined && !isSameForAll(level.systemUuid);
  if (!isTemplate || !('systemUuid' in sample)) return sample;
  const { systemUuid: _uuid, ...rest } = sample;
  return rest;
}

function sampleFacts(name: string): HostPowerFacts {
  const labels = new Proxy<Record<string, string>>({}, { get: () => 'label' });
  return { name, address: '192.0.2.1', labels };
}

function programProblems({ command, environment, timeoutMs }: CleanUpProgram): readonly string[] {
  const [program = ''] = command;
  const unknown = command.flatMap((text) => unknownFields(text));
  const names = Object.keys(environment ?? {}).filter((name) => !/^[A-Za-z_]\w*$/.test(name));
  return [
    ...(program.startsWith('/') && isSameForAll(program)
      ? []
      : ['command: has to start with the full path of a program']),
    ...unknown.map((word) => `command: ${word} is no field; there are {host}, {address} and {label:KEY}`),
    ...names.map((name) => `environment: no variable can have the name "${name}"`),
    ...(timeoutMs === undefined || timeoutMs >= 100 ? [] : [`timeoutMs: ${timeoutMs} has to be at least 100`]),
  ];
}
