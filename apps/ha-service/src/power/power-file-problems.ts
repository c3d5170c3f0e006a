import { access, constants, readFile } from 'node:fs/promises';

import { messageOf } from '@smalt/service-runtime';

import type { PowerLevel, PowerSettings } from './power-settings.ts';
import { readSecretFile } from './read-secret-file.ts';

/** Every file that the settings name and that is of no use now: a secret, an authority, a program. */
export async function powerFileProblems(
  { levels, cleanUp }: Pick<PowerSettings, 'levels' | 'cleanUp'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ofLevels = levels.flatMap((level, index) =>
    filesOf(level).map((file) => ({ ...file, field: `levels[${index}].${file.field}` })),
  );
  const ofPrograms = cleanUp.map(({ command }, index) => program(`cleanUp[${index}].command`, command));
  const problems = await Promise.all([...ofLevels, ...ofPrograms].map((file) => problemOf(file, signal)));
  return problems.filter((problem) => problem !== undefined);
}

interface NamedFile {
  readonly kind: 'secret' | 'authority' | 'program';
  readonly field: string;
  readonly path: string;
}

function filesOf(level: PowerLevel): readonly NamedFile[] {
  switch (level.driver) {
    case 'redfish':
    case 'ipmi':
      return [
        { kind: 'secret', field: 'passwordFile', path: level.passwordFile },
        ...Object.entries(level.perHost ?? {}).flatMap(([host, { passwordFile: path }]) =>
          path === undefined ? [] : [{ kind: 'secret', field: `perHost.${host}.passwordFile`, path } as const],
        ),
        ...('authorityFile' in level && level.authorityFile !== undefined
          ? [{ kind: 'authority', field: 'authorityFile', path: level.authorityFile } as const]
          : []),
      ];
    case 'command':
      return [
        program('command', level.command),
        ...Object.entries(level.environmentFiles ?? {}).map(
          ([name, path]) => ({ kind: 'secret', field: `environmentFiles.${name}`, path }) as const,
        ),
      ];
    case 'ironcore':
    case 'person':
      return [];
  }
}

function program(field: string, [path = '']: readonly string[]): NamedFile {
  return { kind: 'program', field, path };
}

async function problemOf({ kind, field, path }: NamedFile, signal: AbortSignal): Promise<string | undefined> {
  try {
    switch (kind) {
      case 'secret':
        await readSecretFile(field, path, signal);
        return undefined;
      case 'authority': {
        const isPem = (await readFile(path, { encoding: 'utf8', signal })).includes('-----BEGIN CERTIFICATE-----');
        return isPem ? undefined : `${field}: ${path} holds no certificate in PEM`;
      }
      case 'program':
        await access(path, constants.X_OK);
        return undefined;
    }
  } catch (error) {
    signal.throwIfAborted();
    const message = messageOf(error);
    return message.startsWith(field) ? message : `${field}: ${path} cannot be used: ${message}`;
  }
}
