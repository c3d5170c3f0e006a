import { open } from 'node:fs/promises';

import { isJsonObject, parseJson, type JsonValue } from '@smalt/json';

/** A write that the API server was asked for: `patch virtualmachineinstances/status` by `smalt-virt-handler`. */
export interface WrittenRequest {
  readonly verb: string;
  readonly resource: string;
  readonly user: string;
  /** The HTTP status that it was answered with. */
  readonly code: number;
}

const READING: ReadonlySet<string> = new Set(['get', 'list', 'watch']);

/** The writes among lines of an audit log; those that were refused too. */
export function writtenRequests(lines: readonly string[]): readonly WrittenRequest[] {
  return lines.flatMap((line) => {
    const event = parseJson(line);
    const verb = textOf(at(event, 'verb'));
    const reference = at(event, 'objectRef');
    const isOver = at(event, 'stage') === 'ResponseComplete';
    if (!isOver || READING.has(verb) || !isJsonObject(reference)) return [];
    const subresource = textOf(reference['subresource']);
    const resource = [textOf(reference['resource']), ...(subresource === '' ? [] : [subresource])].join('/');
    const code = Number(at(at(event, 'responseStatus'), 'code'));
    const user =
      textOf(at(at(event, 'user'), 'username'))
        .split(':')
        .at(-1) ?? '';
    return [{ verb, resource, user, code }];
  });
}

/** Remembers where an audit log ends, and gives the lines that were added since. */
export async function openAuditMark(path: string): Promise<() => Promise<readonly string[]>> {
  await using file = await open(path);
  const { size: start } = await file.stat();
  return async () => {
    await using again = await open(path);
    const { size } = await again.stat();
    if (size < start) throw new Error('the audit log was put aside meanwhile: measure less');
    const { buffer } = await again.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString().split('\n').filter(Boolean);
  };
}

function at(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
