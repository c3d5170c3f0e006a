import { fileSizes, readTail } from './read-tail.ts';

const LOG_LINES = 40;

export interface DaemonLogOptions {
  readonly maxLines?: number | undefined;
  /** Where to begin, in bytes of each file. */
  readonly from?: readonly number[] | undefined;
}

/** The last lines that the set-up and the libvirtd of a directory wrote. */
export async function readDaemonLog(directory: string, options: DaemonLogOptions = {}): Promise<string> {
  const { maxLines = LOG_LINES, from = [] } = options;
  const files = logFiles(directory);
  const texts = await Promise.all(files.map((file, index) => readTail(file, { maxLines, from: from[index] ?? 0 })));
  return texts.filter((text) => text !== '').join('\n');
}

/** Where the log of a run that begins now starts: what an earlier one complained of explains nothing. */
export async function daemonLogEnds(directory: string): Promise<readonly number[]> {
  return await fileSizes(logFiles(directory));
}

function logFiles(directory: string): readonly string[] {
  return ['output.log', 'libvirtd.log'].map((name) => `${directory}/log/${name}`);
}
