import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { ReportSettingsFile } from './report-settings-file.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ha-settings-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true });
});

describe('the report settings', () => {
  it('follow a ConfigMap that is swapped, and stay as they are while it is wrong', async () => {
    swapConfigMap('1', 'intervals: { uptimeSeconds: 5 }');
    const changes = countChanges();
    const file = new ReportSettingsFile({ path: join(directory, 'reports.yaml'), ignore: fail, onChange: changes.add });
    await file.load();
    const stopping = new AbortController();
    const following = file.follow(stopping.signal);
    const first = file.current.intervals.uptimeSeconds;

    swapConfigMap('2', 'intervals: { uptimeSeconds: 6 }');
    await changes.until(2);
    const second = file.current.intervals.uptimeSeconds;
    swapConfigMap('3', 'intervals: { uptimeSeconds: soon }');
    await changes.until(3);
    const [third, trouble] = [file.current.intervals.uptimeSeconds, file.trouble];
    swapConfigMap('4', 'events: { reboot: false }');
    await changes.until(4);
    stopping.abort();
    await following;

    expect([first, second, third]).toEqual([5, 6, 6]);
    expect(trouble).toMatch(/reports.yaml: intervals.uptimeSeconds must be a number/);
    expect(file.trouble).toBeUndefined();
    expect(file.current).toMatchObject({ events: { reboot: { isReported: false } }, intervals: { uptimeSeconds: 30 } });
  });

  it.each([
    { what: 'a file that is missing', text: undefined, trouble: /ENOENT/ },
    { what: 'text that is not YAML', text: 'a: [', trouble: /flow/i },
    { what: 'a setting twice', text: 'events: {}\nevents: {}', trouble: /unique/i },
    { what: 'a setting that is not there', text: 'event: {}', trouble: /event is not a setting/ },
  ])('are the defaults with $what, and tell the trouble', async ({ text, trouble }) => {
    const path = join(directory, 'reports.yaml');
    if (text !== undefined) writeFileSync(path, text);
    const file = new ReportSettingsFile({ path, ignore: fail, onChange: () => undefined });

    await file.load();

    expect(file.trouble).toMatch(trouble);
    expect(file.current.intervals.uptimeSeconds).toBe(30);
  });
});

/** As the kubelet does it: the content in a new directory, and `..data` renamed over the old link. */
function swapConfigMap(version: string, text: string): void {
  mkdirSync(join(directory, `..${version}`));
  writeFileSync(join(directory, `..${version}`, 'reports.yaml'), text);
  symlinkSync(`..${version}`, join(directory, '..data_tmp'));
  renameSync(join(directory, '..data_tmp'), join(directory, '..data'));
  if (version === '1') symlinkSync('..data/reports.yaml', join(directory, 'reports.yaml'));
}

function countChanges() {
  const changes = new EventEmitter();
  const seen = { count: 0 };
  return {
    add: () => {
      seen.count++;
      changes.emit('change');
    },
    until: async (wanted: number) => {
      while (seen.count < wanted) await once(changes, 'change', { signal: AbortSignal.timeout(20_000) });
    },
  };
}

function fail(error: unknown): never {
  throw error;
}
