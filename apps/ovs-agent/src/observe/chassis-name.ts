import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const PROGRAM = 'ovn-controller';
const OVERRIDE = 'etc/ovn/system-id-override';

export interface ChassisPlaces {
  /** Where the file system of the host is seen, and its processes. */
  readonly root: string;
  readonly proc: string;
}

/**
 * The name that ovn-controller was told to give its chassis when it was started, by its command line or by the file
 * `system-id-override`. Undefined where it was told neither, and goes by `external_ids:system-id`.
 */
export async function readChassisName(
  { root, proc }: ChassisPlaces,
  processId: number | undefined,
): Promise<string | undefined> {
  const command = processId === undefined ? '' : await readText(join(proc, String(processId), 'cmdline'));
  return chassisOfCommand(command.split('\0')) ?? chassisOfFile(await readText(join(root, OVERRIDE)));
}

/** What `-n` says in the words that ovn-controller was started with; the last one counts. */
export function chassisOfCommand([program = '', ...words]: readonly string[]): string | undefined {
  // The number may be that of another process, seen from here.
  if (!basename(program).startsWith(PROGRAM)) return undefined;
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  const names = options.flatMap((word, index) => {
    if (word === '-n') return options[index + 1] ?? [];
    return word.startsWith('-n') ? word.slice(2) : [];
  });
  return names.findLast((name) => name !== '');
}

/** ovn-controller reads the first line. */
export function chassisOfFile(text: string): string | undefined {
  const name = text.split('\n')[0]?.trim() ?? '';
  return name === '' ? undefined : name;
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // As a rule there is no such file; a process may end meanwhile, or be hidden. Its Chassis row tells what is true.
    return '';
  }
}
