import { isJsonArray, isJsonObject, type JsonObject } from '@smalt/json';
import type { LogLine } from '@smalt/vm-api';

import type { Paint } from '../output/live-screen.ts';
import { printableText } from '../printable-text.ts';

/** The lines of a message of `logs`; what is none is left out. */
export function readLogLines(message: JsonObject): readonly LogLine[] {
  const { lines } = message;
  if (!isJsonArray(lines)) return [];
  return lines.filter(isJsonObject).flatMap(({ source, text, at }) => {
    if (typeof source !== 'string' || typeof text !== 'string') return [];
    return [{ source, text, ...(typeof at === 'string' ? { at } : {}) }];
  });
}

/** A line for a terminal: when and by whom it was written, and the line, in which nothing can steer the terminal. */
export function logLineText({ source, text, at }: LogLine, paint: Paint): string {
  const time = at === undefined ? '' : `${at} `;
  return `${paint.faint(`${time}${printableText(source)} │`)} ${printableText(text.replaceAll('\t', '  '))}\n`;
}
