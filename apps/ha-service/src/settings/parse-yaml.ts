import { messageOf } from '@smalt/service-runtime';
import { parse } from 'yaml';

import { HaServiceError } from '../ha-service-error.ts';

/** Reads YAML or JSON; undefined for a text that says nothing. Throws an error of code `bad-settings` with the path, if there is one. */
export function parseYaml(content: string, path?: string): unknown {
  try {
    return parseJsonList(content) ?? parse(content, { uniqueKeys: true }) ?? undefined;
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    const where = path === undefined ? 'the file' : `${path}:`;
    throw new HaServiceError('bad-settings', `${where} is not YAML: ${reason}`, { cause: error });
  }
}

/** The reader of YAML takes seconds for a list that a program has written for ten thousand nodes. */
function parseJsonList(content: string): unknown {
  if (!content.startsWith('[')) return undefined;
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
