import type { JsonObject } from '@smalt/json';

/** The version of Kubernetes whose API this is, with our name behind it. */
export const SERVER_VERSION = 'v1.36.3+smalt';

/** What `/version` answers. */
export function versionDocument(): JsonObject {
  return {
    major: '1',
    minor: '36',
    emulationMajor: '1',
    emulationMinor: '36',
    minCompatibilityMajor: '1',
    minCompatibilityMinor: '35',
    gitVersion: SERVER_VERSION,
    gitCommit: '',
    gitTreeState: '',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: process.version,
    compiler: 'v8',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  };
}
