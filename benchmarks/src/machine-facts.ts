import { cpus, loadavg, release, totalmem } from 'node:os';

/** What a reader must know about the machine to judge the numbers, one line each. */
export function machineFacts(): readonly string[] {
  const processors = cpus();
  const model = processors[0]?.model ?? 'unknown';
  return [
    `CPU: ${processors.length} × ${model}`,
    `memory: ${(totalmem() / 1024 ** 3).toFixed(0)} GiB, load average ${loadavg()[0]?.toFixed(2)} at the end of the run`,
    `kernel: ${release()}`,
    `Node: ${process.version}`,
  ];
}
