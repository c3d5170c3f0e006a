import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isJsonObject, parseJson, printJson, type JsonValue } from '@smalt/json';

import type { Recording } from './answer.ts';

/** Where the answers of the real server are kept. */
export const RECORDING_PATH: string = join(import.meta.dirname, 'fixtures/kube-apiserver-1.36.json');

/** A recording as text, one probe a line, so that a change shows where it is. */
export function printRecording(recording: Recording): string {
  const lines = Object.entries(recording).map(([name, answers]) => {
    const values = answers.map(({ code, headers, body }): JsonValue => ({ code, headers, body }));
    return `${JSON.stringify(name)}:${printJson(values)}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** The answers that were recorded, by probe. */
export async function readRecording(path: string): Promise<Recording> {
  const value = parseJson(await readFile(path, 'utf8'));
  if (!isJsonObject(value)) throw new Error(`${path} holds no recording`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printRecording wrote it
  return value as unknown as Recording;
}
