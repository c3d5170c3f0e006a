import { isAbsolute, normalize } from 'node:path';

import { PodSandboxError } from './pod-sandbox-error.ts';
import type { PodSandbox, SandboxVolume } from './pod-sandbox.ts';
import type { SandboxProcess } from './process/sandbox-process.ts';

export interface SandboxOrigin {
  readonly path: string;
  /** The pod whose directory it was found in. */
  readonly podUid: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a sandbox. What it says is done by root, so everything is checked; throws `invalid-sandbox` and names the field. */
export function parseSandbox(text: string, origin: SandboxOrigin): PodSandbox {
  const fields = fieldsOf(parse(text, origin), '', origin);
  const podUid = stringOf(fields, 'podUid', origin);
  if (podUid !== origin.podUid) throw invalid(origin, 'podUid', `is ${podUid}, not the name of its directory`);
  return {
    podUid,
    namespace: stringOf(fields, 'namespace', origin),
    name: stringOf(fields, 'name', origin),
    launcher: fields['launcher'] === undefined ? undefined : processOf(fields['launcher'], origin),
    guestCgroup: cgroupOf(fields['guestCgroup'], origin),
    ...(fields['processors'] === undefined ? {} : { processors: processorsOf(fields['processors'], origin) }),
    volumes: Object.fromEntries(
      Object.entries(fieldsOf(fields['volumes'] ?? {}, 'volumes', origin)).map(([name, volume]) => [
        name,
        volumeOf(volume, `volumes.${name}`, origin),
      ]),
    ),
  };
}

function processOf(value: unknown, origin: SandboxOrigin): SandboxProcess {
  const { processId, startTicks, bootId } = fieldsOf(value, 'launcher', origin);
  // A signal to 0 or below goes to groups of processes, and 1 is everybody's.
  if (typeof processId !== 'number' || !Number.isSafeInteger(processId) || processId < 2) {
    throw invalid(origin, 'launcher.processId', 'is no process');
  }
  if (typeof startTicks !== 'number' || !Number.isSafeInteger(startTicks)) {
    throw invalid(origin, 'launcher.startTicks', 'is no number');
  }
  return { processId, startTicks, ...(typeof bootId === 'string' && { bootId }) };
}

function processorsOf(value: unknown, origin: SandboxOrigin): readonly number[] {
  if (!Array.isArray(value)) throw invalid(origin, 'processors', 'is no list');
  return value.map((each: unknown) => {
    if (typeof each === 'number' && Number.isSafeInteger(each) && each >= 0) return each;
    throw invalid(origin, 'processors', 'has something that is no processor');
  });
}

function volumeOf(value: unknown, field: string, origin: SandboxOrigin): SandboxVolume {
  const { kind, path } = fieldsOf(value, field, origin);
  if (kind !== 'directory' && kind !== 'block')
    throw invalid(origin, `${field}.kind`, 'is neither directory nor block');
  if (typeof path !== 'string' || !isAbsolute(path)) throw invalid(origin, `${field}.path`, 'is no absolute path');
  return { kind, path };
}

function cgroupOf(value: unknown, origin: SandboxOrigin): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !isAbsolute(value) || normalize(value) !== value || value === '/') {
    throw invalid(origin, 'guestCgroup', 'is no path of a cgroup');
  }
  return value;
}

function stringOf(fields: Fields, name: string, origin: SandboxOrigin): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw invalid(origin, name, 'is missing');
  return value;
}

function fieldsOf(value: unknown, field: string, origin: SandboxOrigin): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(origin, field === '' ? 'the file' : field, 'is no object');
  }
  return { ...value };
}

function parse(text: string, origin: SandboxOrigin): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(origin, 'the file', 'is no JSON', cause);
  }
}

function invalid({ path }: SandboxOrigin, field: string, problem: string, cause?: unknown): PodSandboxError {
  return new PodSandboxError('invalid-sandbox', `${path}: ${field} ${problem}`, { cause });
}
