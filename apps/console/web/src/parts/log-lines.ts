import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { LogLine } from '@smalt/vm-api';

/** The lines of a message; anything else has none. */
export function parseLogLines(message: unknown): readonly LogLine[] {
  if (!isJsonObject(message) || !Array.isArray(message['lines'])) return [];
  const lines: readonly unknown[] = message['lines'];
  return lines.filter(isJsonObject).map(parseLine);
}

function parseLine({ source, text, at }: JsonObject): LogLine {
  return {
    source: typeof source === 'string' ? source : '',
    text: typeof text === 'string' ? text : '',
    ...(typeof at === 'string' ? { at } : {}),
  };
}

/** A line for people: one that our own programs wrote as JSON becomes time, level, words and the rest. */
export function logText(text: string): string {
  if (!text.startsWith('{')) return text;
  const parsed = parseOrNothing(text);
  if (parsed === undefined || typeof parsed['msg'] !== 'string') return text;
  const { time, level, msg, name: _, ...rest } = parsed;
  const more = Object.entries(rest).map(([key, value]) => `${key}=${plain(value)}`);
  return [plain(time), plain(level).toUpperCase(), msg, ...more].filter((word) => word !== '').join(' ');
}

function plain(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function parseOrNothing(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    // A line that only looks like JSON is shown as it is.
    return undefined;
  }
}
