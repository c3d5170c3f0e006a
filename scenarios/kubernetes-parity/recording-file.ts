import { join } from 'node:path';

import { printJson, type JsonValue } from '@smalt/json';

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
