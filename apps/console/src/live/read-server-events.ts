import { ConsoleError } from '../console-error.ts';

const MOST_EVENT_CHARACTERS = 16 * 1_048_576;

/** Reads the `data` of server-sent events as they come. Comments, names and ids are left out. */
export async function* readServerEvents(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > MOST_EVENT_CHARACTERS) throw new ConsoleError('unavailable', 'an event is too long');
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.map((each) => each.replace(/\r$/, ''))) {
      if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
      if (line !== '' || data.length === 0) continue;
      yield data.join('\n');
      data = [];
    }
  }
}
